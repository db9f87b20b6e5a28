const addHeadLink = (rel: string, href: string) => {
  if (document.head.querySelector(`link[rel="${rel}"]`)) return
  document.head.append(Object.assign(document.createElement('link'), { rel, href }))
}

/** The portal can be put on a telephone's screen and opens without a network. The site and the back office know nothing of it. */
export async function registerPortalApp() {
  addHeadLink('manifest', '/portal.webmanifest')
  addHeadLink('apple-touch-icon', '/portal-icon-192.png')
  if (!('serviceWorker' in navigator)) return
  // Refused by a browser that keeps nothing: the portal then works as before.
  await navigator.serviceWorker.register('/portal-worker.js', { scope: '/client-portal' }).catch(() => undefined)
}
