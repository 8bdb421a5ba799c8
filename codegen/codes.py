"""Every problem the generator can report, one line each.

Areas: SB1xx source, SB2xx OpenAPI reading, SB3xx x-stream, SB4xx names, passes and variants, SB5xx
output, SB6xx command line and configuration. An id is never given to another problem later. The
help line says the way out.
"""

from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of problem: `SB101`, `document-not-found`, its severity, a line of help or none."""

    id: str
    slug: str
    severity: Severity
    help: str


_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

_TABLE = (
    # SB1xx: bytes, files, overlays, what is fetched
    Code("SB101", "document-not-found", _E, "check the path; it is relative to the working folder"),
    Code("SB102", "document-encoding", _E, "save the document as UTF-8"),
    Code("SB103", "document-syntax", _E, ""),
    Code("SB104", "duplicate-key", _E, "remove or rename one of the two"),
    Code("SB105", "document-limits", _E, "documents are read to a fixed depth and size"),
    Code("SB106", "value-unknown", _E, "take the tag away, or quote the date: values are JSON's"),
    Code("SB107", "definition-not-found", _E, "put one definition in a ```yaml or ```json fence"),
    Code("SB111", "reference-remote", _E, "store the document here and refer to the file"),
    Code(
        "SB112",
        "reference-not-found",
        _E,
        "paths start at the file of the $ref; in one file, say #/components/schemas/NAME",
    ),
    Code("SB113", "reference-outside-root", _E, "give a common folder with --ref-root"),
    Code("SB114", "reference-syntax", _E, "write it as file.yaml#/path/to/value"),
    Code("SB121", "overlay-malformed", _E, ""),
    Code("SB122", "overlay-unknown-key", _E, "only x-* keys may be added"),
    Code(
        "SB123",
        "overlay-path",
        _E,
        "it starts at $, other names stand in brackets: $.paths['/pets'].get, see RFC 9535",
    ),
    Code("SB124", "overlay-target-unmatched", _W, "compare the target with the document"),
    Code("SB125", "overlay-update-mismatch", _E, "objects merge into objects; arrays take items"),
    Code("SB126", "profile-unmatched", _W, "with its file as an --overlay, each place is told"),
    Code("SB131", "url-unfit", _E, "the lock would keep it: give an https URL without credentials"),
    Code("SB132", "document-undelivered", _E, ""),
    Code(
        "SB133", "document-edited", _E, "what it should say goes to an overlay; then move it away"
    ),
    Code(
        "SB134",
        "lock-malformed",
        _E,
        "`streambind fetch` alone writes it: restore it, or remove it",
    ),
    Code(
        "SB135",
        "reference-unfetched",
        _W,
        "`generate` will miss it; an overlay can give the reference another target",
    ),
    # SB2xx: reading OpenAPI
    Code("SB200", "version", _E, "say `openapi: 3.1.0`, or convert older documents"),
    Code("SB201", "reference-dangling", _E, "add what it names, or correct the pointer"),
    Code("SB202", "reference-cycle", _E, "a chain of references has to end at a schema"),
    Code("SB203", "schema-malformed", _E, "write {} for a schema that allows anything"),
    Code("SB204", "keyword-unread", _N, "it is kept out of the types; values are not held to it"),
    Code(
        "SB205",
        "type-unknown",
        _E,
        "types are null, boolean, object, array, number, integer, string",
    ),
    Code("SB206", "schema-unsatisfiable", _W, "correct one of them, here or by an overlay"),
    Code(
        "SB207",
        "required-undeclared",
        _W,
        "declare it under `properties`, or take it out of `required`",
    ),
    Code("SB208", "operation-id-repeated", _W, "it is named after its method and path instead"),
    Code("SB209", "reference-into-document", _W, "it is read as one into the whole document"),
    Code("SB210", "string-unquoted", _W, "put it in quotes"),
    Code("SB216", "key-unknown", _W, ""),
    Code("SB217", "keyword-malformed", _W, ""),
    Code("SB211", "examples-missing", _N, "put them beside the document: `examples` reads them"),
    Code("SB212", "value-quoted", _W, "take the quotes away"),
    Code("SB213", "values-unfit", _W, "correct the type, or the values"),
    Code("SB214", "mapping-dangling", _W, "constants of the members tell them apart as well"),
    Code(
        "SB215",
        "type-excluding",
        _W,
        "take it away; for null, say `nullable: true`, or add it to the union",
    ),
    # SB3xx: x-stream
    Code("SB301", "stream-unknown-key", _E, ""),
    Code("SB302", "stream-malformed", _E, ""),
    Code("SB303", "stream-rule-malformed", _E, ""),
    Code("SB304", "stream-rule-unfit", _E, "choose a rule that fits the type of the member"),
    Code("SB305", "stream-rule-unmatched", _W, "compare the rules with the schema of the event"),
    # SB4xx: names, passes, variants
    Code("SB401", "alias-recursive", _W, "let an object stand between the two"),
    Code("SB402", "name-unfit", _E, "choose another name: letters, digits, underscores"),
    Code("SB403", "name-clash", _E, "choose another name for one of the two"),
    Code("SB404", "union-ambiguous", _N, "a discriminator, or constants, would tell them apart"),
    Code("SB405", "name-unused", _W, "it names objects, unions, named schemas, and properties"),
    # SB5xx: output
    Code("SB501", "output-not-a-folder", _E, "give a folder with -o; a new one is made"),
    Code("SB502", "output-not-ours", _E, "choose a new folder, or empty this one first"),
    Code("SB503", "output-escapes", _E, "remove the folder and generate it anew"),
    Code("SB504", "output-blocked", _E, "move it away"),
    Code("SB505", "output-failed", _E, "make room or give access, then run the command again"),
    Code("SB506", "output-others", _W, "`streambind check` refuses them: move them away"),
    Code("SB511", "package-outdated", _E, "run `streambind generate`"),
    Code(
        "SB512",
        "file-edited",
        _E,
        "change the document, or an overlay of it, and run `streambind generate`",
    ),
    Code("SB513", "file-missing", _E, "run `streambind generate`"),
    Code("SB514", "file-extra", _E, "move it out of the folder"),
    # SB6xx: command line and configuration
    Code("SB601", "variant-unknown", _E, ""),
    Code("SB602", "profile-unknown", _E, ""),
    Code("SB603", "name-unknown", _E, ""),
    Code("SB604", "format-type", _E, "write it as FORMAT=TYPE, such as date-time=str"),
    Code(
        "SB605", "name-place", _E, "write it as POINTER=NAME, such as #/components/schemas/a-b=AB"
    ),
    Code("SB611", "config-unknown-key", _E, ""),
    Code("SB612", "config-value", _E, "docs/configuration.md tells what each key takes"),
    Code("SB613", "config-repeated", _E, "give each job a name and a folder of its own"),
    Code("SB614", "job-unknown", _E, ""),
    Code("SB615", "job-incomplete", _E, "a job needs a document, `spec`, and a folder, `output`"),
    Code("SB616", "config-exists", _E, "docs/configuration.md tells how a second job is added"),
    Code("SB621", "stream-undecided", _E, "add one with `x-stream`, or choose a profile that does"),
    Code("SB622", "stream-unknown", _E, ""),
    Code("SB623", "recording-unreadable", _E, "check the path; - is standard input"),
    Code("SB631", "version-missing", _E, "name a file, REVISION:PATH, or the folder of a package"),
    Code("SB632", "accepted-malformed", _E, "a line is a fingerprint that `diff` shows, or # text"),
)

CODES = {entry.id: entry for entry in _TABLE}
