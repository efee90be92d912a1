/* The logger that FMUs call: fills in the arguments of a message and hands the text on. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* In messages.rs. */
void fmi2_host_message(const char *instance, int status, const char *category, const char *text);

void fmi2_host_logger(void *environment, const char *instance, int status, const char *category, const char *message,
                      ...) {
    va_list arguments;
    (void)environment;
    if (message == NULL) {
        return;
    }
    va_start(arguments, message);
    int length = vsnprintf(NULL, 0, message, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text == NULL) {
        return;
    }
    va_start(arguments, message);
    vsnprintf(text, (size_t)length + 1, message, arguments);
    va_end(arguments);
    fmi2_host_message(instance, status, category, text);
    free(text);
}
