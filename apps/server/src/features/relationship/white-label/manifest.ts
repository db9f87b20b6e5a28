import { DEFAULT_WHITE_LABEL, type WhiteLabel } from '@voisol/contract/white-label'
import type { FastifyInstance } from 'fastify'
import { companyOfHost } from '../../../core/brand-hosts.ts'
import { getWhiteLabel } from './white-label.ts'

const SPACE = '/client-portal'
/** What a home screen shows below an icon before it cuts. */
const SHORT = 12

const ICONS = [
  { src: '/portal-icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/portal-icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/portal-icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
]
const COMMON = {
  description: 'Votre énergie locale, vos factures et vos messages.',
  lang: 'fr',
  dir: 'ltr',
  id: SPACE,
  start_url: SPACE,
  scope: SPACE,
  display: 'standalone',
  background_color: '#fffcf7',
  shortcuts: [
    { name: 'Ma consommation', url: `${SPACE}/consumption` },
    { name: 'Mes factures', url: `${SPACE}/invoices` },
  ],
}
const PRODUCT = {
  ...COMMON,
  name: 'Voisol, mon espace',
  short_name: 'Mon espace',
  theme_color: '#f59e0b',
  icons: ICONS,
}

/** A drawing fits every size. Of another picture the size is not known to the browser: the product's icons stay beside it. */
function iconsOf({ customFavicon }: WhiteLabel) {
  if (customFavicon.endsWith('.svg')) return [{ src: customFavicon, sizes: 'any', type: 'image/svg+xml' }]
  return ICONS
}

/** Under the name of a company the portal is installed as its own; a colour that was left is the product's. */
export function manifestFor(brand: WhiteLabel) {
  const { companyName, primaryColor } = brand
  return {
    ...COMMON,
    name: `${companyName}, mon espace`,
    short_name: companyName.length > SHORT ? PRODUCT.short_name : companyName,
    theme_color: primaryColor === DEFAULT_WHITE_LABEL.primaryColor ? PRODUCT.theme_color : primaryColor,
    icons: iconsOf(brand),
  }
}

/** Asked for without a session: the host says whose it is. */
export function registerManifest(app: FastifyInstance) {
  app.get('/portal.webmanifest', async (request, reply) => {
    const { db } = app.deps
    const companyId = await companyOfHost(db, request.hostname)
    reply.type('application/manifest+json; charset=utf-8').header('cache-control', 'public, max-age=300')
    return JSON.stringify(companyId ? manifestFor(await getWhiteLabel(db, companyId)) : PRODUCT)
  })
}
