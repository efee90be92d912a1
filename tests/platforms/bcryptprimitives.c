/* Windows has this library, Wine 8 does not: the random numbers that Rust's hash maps start with. */
__declspec(dllexport) int ProcessPrng(unsigned char *bytes, unsigned long long size) {
    for (unsigned long long k = 0; k < size; k++) bytes[k] = (unsigned char)(k * 37 + 11);
    return 1;
}
