#include "CVector.h"

int cv_cpu_level(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("x86-64-v3") ? 3 : 0;
#else
  return 0;
#endif
}
