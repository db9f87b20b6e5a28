type Settings = { analyticsId?: string; analyticsUrl?: string; development?: string; home?: string }

/** What the server told this page about the installation. */
export function settings(): Settings {
  if (typeof document === 'undefined') return {}
  return JSON.parse(document.getElementById('settings')?.textContent || '{}')
}
