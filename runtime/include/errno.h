#pragma once
#define EBUSY 16
#define EINVAL 22
