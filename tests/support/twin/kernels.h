// kernels: the text of the kernels. Compilers of OpenCL C warn of less.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-parameter"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#ifdef TWIN_STAGED
#include "kernels/der/staged.cl"
#else
#include "kernels/der/fused.cl"
#endif
#pragma GCC diagnostic pop
