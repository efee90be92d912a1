"""What a library for macOS says of itself, read without the tools that made it.

Numbers and layouts: mach-o/fat.h, mach-o/loader.h and kern/cs_blobs.h of Apple's XNU.
"""

import dataclasses
import hashlib
import struct

FAT_MAGIC, MACH_O_64 = 0xCAFEBABE, 0xFEEDFACF
PROCESSORS = {0x01000007: "x86_64", 0x0100000C: "arm64"}
DYLIB = 6
LOAD_DYLIB, ID_DYLIB, CODE_SIGNATURE, BUILD_VERSION = 0xC, 0xD, 0x1D, 0x32
RPATH, DYLD_INFO_ONLY, EXPORTS_TRIE = 0x8000001C, 0x80000022, 0x80000033
SUPER_BLOB, CODE_DIRECTORY, AD_HOC, SHA_256 = 0xFADE0CC0, 0xFADE0C02, 0x2, 2


@dataclasses.dataclass
class Slice:
    """The library for one processor."""

    processor: str
    name: str = ""
    needed: list = dataclasses.field(default_factory=list)
    search_paths: list = dataclasses.field(default_factory=list)
    #: Oldest macOS it runs with.
    minimum: tuple = ()
    exports: set = dataclasses.field(default_factory=set)
    #: What is wrong with the signature; None where every page is as it was signed.
    signature_fault: str = "there is no signature"


def slices(data):
    """All slices of a universal library."""
    magic, count = struct.unpack_from(">II", data)
    if magic != FAT_MAGIC:
        raise ValueError("no universal library")
    places = [struct.unpack_from(">IIIII", data, 8 + 20 * k) for k in range(count)]
    for _, _, begin, size, alignment in places:
        if begin % (1 << alignment) or begin + size > len(data):
            raise ValueError("a slice is not where it may be")
    return [read(data[begin : begin + size]) for _, _, begin, size, _ in places]


def read(data):
    magic, processor, _, kind, num_commands = struct.unpack_from("<5I", data)
    if (magic, kind) != (MACH_O_64, DYLIB):
        raise ValueError("no 64-bit library of macOS")
    it = Slice(PROCESSORS[processor])
    at = 32
    for _ in range(num_commands):
        command, size = struct.unpack_from("<II", data, at)
        numbers = struct.unpack_from(f"<{size // 4}I", data, at)
        text = lambda: data[at + numbers[2] : at + size].rstrip(b"\0").decode()
        if command == ID_DYLIB:
            it.name = text()
        elif command == LOAD_DYLIB:
            it.needed.append(text())
        elif command == RPATH:
            it.search_paths.append(text())
        elif command == BUILD_VERSION:
            it.minimum = (numbers[3] >> 16, numbers[3] >> 8 & 255)
        elif command == EXPORTS_TRIE:
            it.exports = set(names(data[numbers[2] : numbers[2] + numbers[3]]))
        elif command == DYLD_INFO_ONLY:
            it.exports = set(names(data[numbers[10] : numbers[10] + numbers[11]]))
        elif command == CODE_SIGNATURE:
            it.signature_fault = fault(data, numbers[2])
        at += size
    return it


def number(trie, at):
    """An unsigned LEB128 number, and what follows it."""
    value = shift = 0
    while True:
        byte = trie[at]
        at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value, at


def names(trie, at=0, prefix=b""):
    """The names in a trie of exports, below one node."""
    size, at = number(trie, at)
    if size:
        yield prefix.decode()
    at += size
    for _ in range(trie[at]):
        end = trie.index(0, at + 1)
        child, after = number(trie, end + 1)
        yield from names(trie, child, prefix + trie[at + 1 : end])
        at = after - 1


def fault(data, begin):
    """What is wrong with the signature at a place; None if it is one without certificate and fits every page."""
    magic, _, count = struct.unpack_from(">III", data, begin)
    if magic != SUPER_BLOB:
        return "there is something else in its place"
    for k in range(count):
        _, offset = struct.unpack_from(">II", data, begin + 12 + 8 * k)
        if struct.unpack_from(">I", data, begin + offset)[0] == CODE_DIRECTORY:
            return directory_fault(data, begin, begin + offset)
    return "it lists no pages"


def directory_fault(data, end, at):
    _, _, _, flags, hashes, _, _, pages, limit, size, kind, _, page_bits = struct.unpack_from(">9I4B", data, at)
    if not flags & AD_HOC:
        return "it refers to a certificate"
    if (kind, size, limit) != (SHA_256, 32, end) or pages != -(-limit >> page_bits):
        return "it does not cover the file"
    for k in range(pages):
        page = data[k << page_bits : min((k + 1) << page_bits, limit)]
        if hashlib.sha256(page).digest() != data[at + hashes + 32 * k :][:32]:
            return f"page {k} was changed"
    return None
