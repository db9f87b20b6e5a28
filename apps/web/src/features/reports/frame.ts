/** Whether a frame holds a refusal of the server rather than the paper; a viewer of its own lets nobody look inside. */
export function isRefusal({ contentDocument }: Pick<HTMLIFrameElement, 'contentDocument'>): boolean {
  return contentDocument?.contentType.includes('json') ?? false
}
