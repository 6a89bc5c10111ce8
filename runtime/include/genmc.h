#pragma once
#include <linux_litmus.h>
