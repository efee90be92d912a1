"""What a library for Windows needs: the tables of imports of a PE file."""

import struct


def imports(file):
    """Names of the libraries that a 64-bit file asks for, in small letters."""
    begin = struct.unpack_from("<I", file, 0x3C)[0]
    assert file[begin : begin + 4] == b"PE\0\0"
    count, header_size = struct.unpack_from("<H", file, begin + 6)[0], struct.unpack_from("<H", file, begin + 20)[0]
    header = begin + 24
    assert struct.unpack_from("<H", file, header)[0] == 0x20B, "a 64-bit file"
    sections = [struct.unpack_from("<8s4I", file, header + header_size + 40 * k)[1:] for k in range(count)]

    def offset(address):
        for size, start, stored, where in sections:
            if start <= address < start + max(size, stored):
                return address - start + where
        raise ValueError(f"nothing at {address:#x}")

    def text(address):
        where = offset(address)
        return file[where : file.index(b"\0", where)].decode().lower()

    names = set()
    # Directories 1 and 13: imports at once, and on demand; name and size of an entry of each.
    for directory, name, size in ((1, 12, 20), (13, 4, 32)):
        address = struct.unpack_from("<I", file, header + 112 + 8 * directory)[0]
        place = offset(address) if address else None
        while place is not None and struct.unpack_from("<I", file, place + name)[0]:
            names.add(text(struct.unpack_from("<I", file, place + name)[0]))
            place += size
    return names
