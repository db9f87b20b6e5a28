type PageSettings = { analyticsId?: string; analyticsUrl?: string; development?: string; home?: string }

/** What the server told this page about the installation. */
export function getPageSettings(): PageSettings {
  if (typeof document === 'undefined') return {}
  return JSON.parse(document.getElementById('settings')?.textContent || '{}')
}
