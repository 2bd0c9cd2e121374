// drivers: which OpenCL drivers this process would load, and as which files.
#include "cli/drivers.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define STANDARD_VENDORS "/etc/OpenCL/vendors"

// Where libraries without a folder in their name are looked for, after LD_LIBRARY_PATH.
#define STANDARD_LIBRARIES                                                                                             \
    "/usr/local/lib:/usr/local/lib/" SHEAF_LIBRARY_ARCHITECTURE ":/lib/" SHEAF_LIBRARY_ARCHITECTURE                    \
    ":/usr/lib/" SHEAF_LIBRARY_ARCHITECTURE ":/lib64:/usr/lib64:/lib:/usr/lib"

static void add_file_facts(base_text *key, const char *path)
{
    struct stat facts;
    if (stat(path, &facts) == 0)
        base_text_add(key, "; %s %lld %lld.%09ld %llu", path, (long long)facts.st_size, (long long)facts.st_mtim.tv_sec,
                      facts.st_mtim.tv_nsec, (unsigned long long)facts.st_ino);
}

// All files that a library's name may mean in a list of folders with colons between them.
static void add_library_in(base_text *key, const char *folders, const char *name)
{
    for (const char *at = folders; *at != 0;) {
        const size_t length = strcspn(at, ":");
        char path[4096];
        snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
        add_file_facts(key, path);
        at += length + (at[length] == ':');
    }
}

static void add_library(base_text *key, const char *name)
{
    const char *folders = getenv("LD_LIBRARY_PATH");
    if (strchr(name, '/') != NULL) {
        add_file_facts(key, name);
        return;
    }
    if (folders != NULL)
        add_library_in(key, folders, name);
    add_library_in(key, STANDARD_LIBRARIES, name);
}

// The first line of an .icd file names a library.
static void add_icd(base_text *key, const char *path)
{
    char line[4096] = "";
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return;
    if (fgets(line, sizeof line, file) == NULL)
        line[0] = 0;
    (void)fclose(file);
    line[strcspn(line, "\r\n")] = 0;
    base_text_add(key, "; %s: %s", path, line);
    add_library(key, line);
}

static int is_icd(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".icd") == 0;
}

// A folder of .icd files in the order of their names, or a single one.
static void add_vendors(base_text *key, const char *place)
{
    struct dirent **entries = NULL;
    const int count = scandir(place, &entries, is_icd, alphasort);
    if (count < 0)
        add_icd(key, place);
    for (int k = 0; k < count; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", place, entries[k]->d_name);
        add_icd(key, path);
        free(entries[k]);
    }
    free((void *)entries);
}

void cli_drivers_describe(base_text *key)
{
    static const char *const names[] = {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH", "OPENCL_LAYERS",
                                        "LD_LIBRARY_PATH", "LD_PRELOAD",        "POCL_DEVICES",       "RUSTICL_ENABLE"};
    base_text_add(key, "drivers");
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *value = getenv(names[k]);
        base_text_add(key, "; %s=%s", names[k], value ? value : "");
    }
    const char *vendors = getenv("OCL_ICD_VENDORS"), *others = getenv("OPENCL_VENDOR_PATH");
    add_vendors(key, vendors != NULL ? vendors : STANDARD_VENDORS);
    if (others != NULL)
        add_vendors(key, others);
    const char *preloaded = getenv("LD_PRELOAD");
    if (preloaded != NULL)
        add_library(key, preloaded);
    add_file_facts(key, "/proc/self/exe");
}
