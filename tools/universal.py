"""Joins libraries for one processor each of the same system to a universal one (Apple's "fat" Mach-O).

    python3 tools/universal.py OUTPUT LIBRARY...

Layout: mach-o/fat.h and mach-o/loader.h of Apple's headers. A header in big-endian order lists processor, place, size and alignment of each
slice; the slices follow unchanged, so signatures stay valid.
"""

import pathlib
import struct
import sys

FAT_MAGIC = 0xCAFEBABE
MACH_O_64 = 0xFEEDFACF
#: Both processors may have pages of this size, 2 to the power of the second number.
PAGE, ALIGNMENT = 1 << 14, 14


def join(slices):
    """The bytes of a universal library."""
    headers, body = [], b""
    begin = PAGE
    for slice in slices:
        magic, processor, kind = struct.unpack_from("<III", slice)
        if magic != MACH_O_64:
            raise SystemExit("a slice is no 64-bit Mach-O file")
        headers.append(struct.pack(">IIIII", processor, kind, begin + len(body), len(slice), ALIGNMENT))
        body += slice + bytes(-len(slice) % PAGE)
    head = struct.pack(">II", FAT_MAGIC, len(slices)) + b"".join(headers)
    last = -len(slices[-1]) % PAGE
    return head.ljust(begin, b"\0") + (body[:-last] if last else body)


if __name__ == "__main__":
    output, *inputs = map(pathlib.Path, sys.argv[1:])
    output.write_bytes(join([path.read_bytes() for path in inputs]))
