"""How Python spells things: literals, names, annotations, imports. No OpenAPI, no Jinja."""
