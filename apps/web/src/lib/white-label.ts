import { type WhiteLabel, WhiteLabelRecord, whiteLabel } from '@voisol/contract/white-label'
import { z } from 'zod'
import { buildThemeVariables } from '../components/theme.ts'
import { buildEndpointUrl } from './call.ts'
import { setTitleCompany } from './page-title.ts'
import { brandStore } from './stores.ts'
import { toast } from './toast.ts'

async function fetchWhiteLabelRecord(address: string, signal?: AbortSignal) {
  const response = await fetch(address, { cache: 'no-store', signal })
  if (!response.ok) throw new Error(`Erreur ${response.status}: ${response.statusText}`)
  return WhiteLabelRecord.parse(await response.json())
}

/** Read anew each time and without the bearer, as a visitor of the company's portal would. */
export const fetchWhiteLabel = (companyId: number, signal?: AbortSignal) =>
  fetchWhiteLabelRecord(buildEndpointUrl(whiteLabel.get, { params: { companyId } }), signal)

export function getThemeErrorReason(error: unknown): string {
  if (error instanceof z.ZodError || error instanceof SyntaxError) return 'la réponse du serveur n’est pas lisible'
  if (error instanceof TypeError) return 'le serveur n’a pas pu être joint'
  return error instanceof Error ? error.message : String(error)
}

const notifyThemeError = (error: unknown) =>
  toast({
    variant: 'destructive',
    title: 'Erreur de chargement du thème',
    description: `Impossible de charger les personnalisations\u00a0: ${getThemeErrorReason(error)}`,
  })

function applyTheme(config: WhiteLabel, prefersDark: boolean) {
  const variables = Object.entries(buildThemeVariables(config, { prefersDark }))
  const { style } = document.documentElement
  for (const [name, value] of variables) style.setProperty(name, value)
  const restoreBar = tintBrowserBar(config, prefersDark)
  return () => {
    restoreBar()
    for (const [name] of variables) style.removeProperty(name)
  }
}

/** The bar of a telephone's browser takes the dark ground where the device is dark. */
function tintBrowserBar({ darkModeEnabled, darkModeBackgroundColor }: WhiteLabel, prefersDark: boolean) {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')
  if (!meta || !darkModeEnabled || !prefersDark) return () => undefined
  const own = meta.content
  meta.content = darkModeBackgroundColor
  return () => {
    meta.content = own
  }
}

function replaceFavicon(path: string) {
  const link = document.querySelector<HTMLLinkElement>('link[rel~="icon"]')
  if (!link || !path) return () => undefined
  const [href, type] = [link.getAttribute('href') ?? '', link.getAttribute('type')]
  link.setAttribute('href', path)
  link.removeAttribute('type')
  return () => {
    link.setAttribute('href', href)
    if (type) link.setAttribute('type', type)
  }
}

let undoTheme = () => {}

/** Gives the product its own look back. */
function resetTheme() {
  undoTheme()
  undoTheme = () => {}
  setTitleCompany(undefined)
  brandStore.set(null)
}

/** Shows a company's look in place of the last one; follows the system between light and dark colours. */
export function applyWhiteLabel(config: WhiteLabel) {
  undoTheme()
  const dark = matchMedia('(prefers-color-scheme: dark)')
  let removeTheme = applyTheme(config, dark.matches)
  const reapplyTheme = () => {
    removeTheme()
    removeTheme = applyTheme(config, dark.matches)
  }
  const restoreFavicon = replaceFavicon(config.customFavicon)
  dark.addEventListener('change', reapplyTheme)
  undoTheme = () => {
    dark.removeEventListener('change', reapplyTheme)
    removeTheme()
    restoreFavicon()
  }
  setTitleCompany(config.companyName || undefined)
  brandStore.set(config)
}

/** The look of a company, until the signal says that it is no longer wanted. */
export async function showWhiteLabel({ id, name }: { id: number; name: string }, signal: AbortSignal) {
  signal.addEventListener('abort', resetTheme, { once: true })
  try {
    const config = await fetchWhiteLabel(id, signal)
    // One that chose nothing is not named to everybody: its own people know its name.
    if (!signal.aborted) applyWhiteLabel(config.version === 0 ? { ...config, companyName: name } : config)
  } catch (error) {
    if (!signal.aborted) notifyThemeError(error)
  }
}

/** At the host of a company its look is there before anybody signs in; a host of nobody keeps the product's. */
export async function showHostWhiteLabel(signal: AbortSignal) {
  signal.addEventListener('abort', resetTheme, { once: true })
  try {
    const config = await fetchWhiteLabelRecord(buildEndpointUrl(whiteLabel.here, {}), signal)
    if (!signal.aborted && config.version > 0) applyWhiteLabel(config)
  } catch (error) {
    if (!signal.aborted) notifyThemeError(error)
  }
}
