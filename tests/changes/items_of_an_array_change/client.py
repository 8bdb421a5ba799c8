from variant import ItemsChange


def read(value: ItemsChange) -> list[int]:
    return value.sizes
