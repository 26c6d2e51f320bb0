import { formatExpiry } from "payspec/card";

for (const text of ["9/27", "927", "2027-09"]) console.log(formatExpiry(text).text);
// 09 / 27
// 09 / 27
// 09 / 2027
