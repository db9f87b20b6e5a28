import { DEFAULT_WHITE_LABEL, type WhiteLabel } from '@voisol/contract/white-label'
import type { FastifyInstance } from 'fastify'
import { findCompanyIdOfHost } from '../../../core/mail-brand.ts'
import { loadWhiteLabel } from './white-label.ts'

const PORTAL_PATH = '/client-portal'
/** What a home screen shows below an icon before it cuts. */
const MAX_SHORT_NAME_LENGTH = 12

const ICONS = [
  { src: '/portal-icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/portal-icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/portal-icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
]
const COMMON_MANIFEST = {
  description: 'Votre énergie locale, vos factures et vos messages.',
  lang: 'fr',
  dir: 'ltr',
  id: PORTAL_PATH,
  start_url: PORTAL_PATH,
  scope: PORTAL_PATH,
  display: 'standalone',
  background_color: '#fffcf7',
  shortcuts: [
    { name: 'Ma consommation', url: `${PORTAL_PATH}/consumption` },
    { name: 'Mes factures', url: `${PORTAL_PATH}/invoices` },
  ],
}
const PRODUCT_MANIFEST = {
  ...COMMON_MANIFEST,
  name: 'Voisol, mon espace',
  short_name: 'Mon espace',
  theme_color: '#f59e0b',
  icons: ICONS,
}

/** A drawing fits every size. Of another picture the size is not known to the browser: the product's icons stay beside it. */
function getIcons({ customFavicon }: WhiteLabel) {
  if (customFavicon.endsWith('.svg')) return [{ src: customFavicon, sizes: 'any', type: 'image/svg+xml' }]
  return ICONS
}

/** Under the name of a company the portal is installed as its own; a colour that was left is the product's. */
function buildManifest(brand: WhiteLabel) {
  const { companyName, primaryColor } = brand
  return {
    ...COMMON_MANIFEST,
    name: `${companyName}, mon espace`,
    short_name: companyName.length > MAX_SHORT_NAME_LENGTH ? PRODUCT_MANIFEST.short_name : companyName,
    theme_color: primaryColor === DEFAULT_WHITE_LABEL.primaryColor ? PRODUCT_MANIFEST.theme_color : primaryColor,
    icons: getIcons(brand),
  }
}

/** Asked for without a session: the host says whose it is. */
export function registerManifestRoute(app: FastifyInstance) {
  app.get('/portal.webmanifest', async (request, reply) => {
    const { db } = app.deps
    const companyId = await findCompanyIdOfHost(db, request.hostname)
    reply.type('application/manifest+json; charset=utf-8').header('cache-control', 'public, max-age=300')
    return JSON.stringify(companyId ? buildManifest(await loadWhiteLabel(db, companyId)) : PRODUCT_MANIFEST)
  })
}
