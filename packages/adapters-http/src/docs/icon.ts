/** The icon of the server: a sailing ship, which carries ballast (in Portuguese: lastro). */
export const iconSvg =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" ` +
  `fill="#0b6e4f"/><path d="M15 5v14H6z" fill="#fff"/><path d="M17 8v11h7z" fill="#ffd166"/>` +
  `<path d="M5 21h22l-4 6H9z" fill="#fff"/></svg>`

/** The same icon in 32 × 32 pixels as an ICO file, in Base64. */
export const iconIco =
  "AAABAAEAICAAAAEAIADdAgAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgGAAAAc3p69AAAApJJREFUeJzEl89LlEEYx78z" +
  "7/u6+b67qylGuwZSa5GFJkGb6XbIDpIZbpBERqkZRbCVlsc6ZpdSaYsKIurQyQ6SQf0BBeUhPBRUdOgU2KEWipdsbaeZlZVq9933" +
  "p9sHdpl35tn5fnnm2XdmZPzJULxS/cWGeauFAM0gWAUvYPjMgFneeqFLZBwTU6ncEMk11MS+PSDkDiEkjGWEMfaJfx3Xr08/WTKg" +
  "Jbo7QPEUJYRlMp3CBMGpvStVRX7DnYRQQkQmdHm+US6XaV+pxQViqcsXyo5SCtoCB3Q1bodbhDbl1WnbQJUawFjPCbhFaMuEoA42" +
  "ubx/AOGKarhFaFPYpC2yCYej7X/1ddX54BRbBhRJxo1Dibz+qzv80GQCJ9gycLGzF/U1+e+pWk3GaNQPJ1g20FS7Fmfb44bjgw0q" +
  "YqsVLIsBSihu9p6GRIuHJ9uCKLNZVZbCh3bHsWXNOtO49ZUyRpo12MHUQKQmhAt87a1yvklDfVCyHG9qQFR9Ga9+q/gkgmQsYDm+" +
  "qAHxf49FNsMuO0M+DG5cYSnW0ECoogqj8QE45VI0iLBqXmKGEeM9J1GtWU/lv/gVgrFW898T7Uw3w3/E9l7gNQXL+17fCA5sjcFL" +
  "Hr56hv77V/L6C2ZgePIWvujf4BViLjFnIQoa+Kp/x7nJ2/AKMZeY07IBgUiZ+LjFbB5ugM0ZDbpdimKpX4TNUcbIrNGw26Uolvqs" +
  "PNeWxZWJn2U6jIK8WoqCBrg2ZRIROUqh9KSENv0xMfUxAxxDiWHI9Avt7Ma98PLdW2Xbhhne3MVvLM43ACvCi5fTg3py+rF4Xjo5" +
  "pGfef0i3NtxVMvjJH+d5XQT41dXe8cZQNXs9f85bD3SJHklfe/Q6N/QbAAD///x1OIwAAAAGSURBVAMA4tK+XFyCnWoAAAAASUVO" +
  "RK5CYII="
