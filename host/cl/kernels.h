// kernels: the text of the kernels, embedded at build time. One string per entry file, headers included.
#ifndef SHEAF_CL_KERNELS_H
#define SHEAF_CL_KERNELS_H

extern const char kernels_fused[];
extern const char kernels_staged[];
extern const char kernels_peak[];

#endif
