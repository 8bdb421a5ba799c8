from variant import ObjectCloses


def read(value: ObjectCloses) -> str | None:
    return value.get("name")
