const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?: *\.|$)/i;

/** Whether a file or folder of this name would be a device on Windows, with whatever extension. */
export function isDeviceName(name: string): boolean {
  return DEVICE.test(name);
}
