/* What hosts in C need of Linux and Windows: libraries, and arguments in UTF-8. `act` is the program. */
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#include <shellapi.h>
#undef ERROR

static wchar_t *wide(const char *text) {
    int size = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *result = calloc((size_t)size, sizeof *result);
    MultiByteToWideChar(CP_UTF8, 0, text, -1, result, size);
    return result;
}
static void *open_library(const char *path) { return (void *)LoadLibraryW(wide(path)); }
static void *find(void *library, const char *name) { return (void *)GetProcAddress((HMODULE)library, name); }
static int close_library(void *library) { return !FreeLibrary((HMODULE)library); }
#else
#include <dlfcn.h>
static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void *find(void *library, const char *name) { return dlsym(library, name); }
static int close_library(void *library) { return dlclose(library); }
#endif

static int act(int argc, char **argv);

#ifdef _WIN32
int main(void) {
    int argc = 0;
    wchar_t **wide_arguments = CommandLineToArgvW(GetCommandLineW(), &argc);
    char **argv = calloc((size_t)argc + 1, sizeof *argv);
    for (int k = 0; k < argc; k++) {
        int size = WideCharToMultiByte(CP_UTF8, 0, wide_arguments[k], -1, NULL, 0, NULL, NULL);
        argv[k] = calloc((size_t)size, 1);
        WideCharToMultiByte(CP_UTF8, 0, wide_arguments[k], -1, argv[k], size, NULL, NULL);
    }
    return act(argc, argv);
}
#else
int main(int argc, char **argv) { return act(argc, argv); }
#endif
