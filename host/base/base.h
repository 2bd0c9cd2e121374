// base: what every other part uses: failing with a text, memory, messages, random numbers, time. No physics, no files.
#ifndef SHEAF_BASE_BASE_H
#define SHEAF_BASE_BASE_H

#include "sheaf/sheaf.h"

// Records the calling thread's last error and returns `status`. The text says what, where, why, and what to do.
__attribute__((format(printf, 2, 3))) sheaf_status base_fail(sheaf_status status, const char *format, ...);

// The same for a text of any length that is already complete (copied); used for lists of scene errors.
sheaf_status base_fail_text(sheaf_status status, const char *text);

#ifdef __clang_analyzer__
// Static analysis does not follow calls with variable arguments: say that the status given is the status returned.
static inline sheaf_status base_same_status(sheaf_status given, sheaf_status returned)
{
    (void)returned;
    return given;
}
#define base_fail(status, ...) base_same_status(status, base_fail(status, __VA_ARGS__))
#endif

// Leaves the function with the status of the first call that fails.
#define SHEAF_TRY(call)                                                                                                \
    do {                                                                                                               \
        const sheaf_status try_status_ = (call);                                                                       \
        if (try_status_ != SHEAF_OK)                                                                                   \
            return try_status_;                                                                                        \
    } while (0)

// Checks the cookie that default functions set; a def that was not filled by one is a usage error.
#define BASE_COOKIE 0x5EAF0001u
sheaf_status base_check_cookie(uint32_t cookie, const char *def_name);

// Zeroed memory for count objects of `size` bytes through the user's allocator; NULL on failure or overflow, with the
// last error set. A count of 0 gives a valid pointer.
void *base_alloc(size_t count, size_t size);

// Grows memory from base_alloc; new bytes are not zeroed. On failure NULL, last error set, and the old block stays
// valid.
void *base_realloc(void *memory, size_t count, size_t size);

void base_free(void *memory);

// A copy of a string, or NULL with the last error set.
char *base_strdup(const char *text);

__attribute__((format(printf, 2, 3))) void base_log(sheaf_log_level level, const char *format, ...);

// Counter-based random numbers (Philox4x32-10): the same (seed, stream, index) gives the same numbers on any machine.
void base_random4(uint64_t seed, uint32_t stream, uint64_t index, uint32_t words[4]);

// Four independent numbers uniform in [0, 1), each a multiple of 2^-32.
void base_uniform4(uint64_t seed, uint32_t stream, uint64_t index, double numbers[4]);

// Two independent standard normal numbers (Box-Muller on base_uniform4).
void base_normal2(uint64_t seed, uint32_t stream, uint64_t index, double numbers[2]);

// Does the items first .. end - 1; `worker` < base_worker_count tells apart the threads that run at the same time.
typedef sheaf_status base_range_fn(size_t first, size_t end, uint32_t worker, void *user);

// How many threads a loop gets when `threads` are asked for (0: one per core); at least 1.
uint32_t base_worker_count(uint32_t threads);

// Splits 0 .. count - 1 into one range per worker and runs them at the same time; returns when all have ended. On
// failure the status and last error are those of the lowest range that failed; the others ran to their own ends.
sheaf_status base_parallel_for(size_t count, uint32_t threads, base_range_fn *fn, void *user);

// Monotonic wall clock, s.
double base_clock(void);

// FNV-1a over bytes, for identities of scenes and states.
uint64_t base_hash(const void *bytes, size_t size, uint64_t start);

// CRC-32C (Castagnoli) over bytes, to find damage; `start` is 0, or the value of the bytes before.
uint32_t base_crc32c(const void *bytes, size_t size, uint32_t start);

#endif
