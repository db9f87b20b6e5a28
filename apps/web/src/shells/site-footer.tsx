import { useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import {
  getConsent,
  isAnalyticsConfigured,
  onAnalyticsConsentChange,
  withdrawAnalyticsConsent,
} from '../lib/analytics.ts'
import { PRODUCT_NAME } from '../lib/metadata.ts'
import { ClaimList } from '../site/blocks/claims.tsx'
import { MarkedText } from '../site/blocks/words.tsx'
import { getFooterColumns } from '../site/menu.ts'
import { Logo } from '../ui/logo.tsx'

const NBSP = '\u00a0'
const hasChosenConsent = () => isAnalyticsConfigured() && getConsent() !== null
const returnFalse = () => false

const badges: { name: string; note?: string }[] = [
  { name: 'ISO 27001', note: 'certification en cours [objectif]' },
  { name: 'RGPD' },
  { name: 'ISO 50001' },
  { name: 'CRE' },
  { name: 'ADEME' },
  { name: 'France Relance' },
]
const claims = [
  'Chiffrement SSL/TLS',
  'Hébergement en France [objectif]',
  'Sauvegarde quotidienne [objectif]',
  'Support 24/7 [objectif]',
]

const BrandPresentation = () => (
  <div className="max-w-sm">
    <p className="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
      <Logo className="size-7" />
      {PRODUCT_NAME}
    </p>
    <p className="mt-4 text-ink-soft max-sm:hidden">
      La plateforme française d’autoconsommation collective : répartir, suivre et expliquer l’énergie solaire partagée
      entre voisins.
    </p>
    <ClaimList claims={claims} className="mt-4 grid gap-x-4 gap-y-1.5 text-sm text-ink-soft sm:mt-6 sm:gap-2" />
  </div>
)

const Badges = () => (
  <ul aria-label="Référentiels et institutions" className="flex flex-wrap gap-1.5 sm:gap-2">
    {badges.map(({ name, note }) => (
      <li
        key={name}
        className="rounded-control border border-line px-2.5 py-1 text-[0.8125rem] sm:px-3 sm:py-1.5 sm:text-sm font-medium text-ink-soft"
      >
        {name}
        {note && (
          <span className="font-normal">
            {' · '}
            <MarkedText text={note} />
          </span>
        )}
      </li>
    ))}
  </ul>
)

/** What the two small marks of the site mean, said once for all of its pages. */
const ClaimMarkLegend = () => (
  <p className="max-w-3xl pb-6 text-[0.8125rem] text-ink-soft">
    {`La mention «${NBSP}objectif${NBSP}» dit ce que Voisol vise et qu’aucune mesure publiée n’établit encore${NBSP}; «${NBSP}à venir${NBSP}», ce qui n’est pas encore en service.`}
  </p>
)

/** Whoever agreed to be counted, or refused, may choose again; where nothing is measured there is nothing to choose. */
function ConsentChangeButton() {
  const chosen = useSyncExternalStore(onAnalyticsConsentChange, hasChosenConsent, returnFalse)
  if (!chosen) return null
  return (
    <button
      type="button"
      onClick={withdrawAnalyticsConsent}
      className="min-h-9 underline decoration-line-strong underline-offset-4 hover:text-ink"
    >
      Mesure d’audience{NBSP}: changer d’avis
    </button>
  )
}

export function SiteFooter() {
  return (
    <footer data-print="hide" className="border-line border-t bg-white">
      <div className="mx-auto grid max-w-[1248px] gap-x-12 gap-y-7 px-4 py-8 sm:px-6 lg:grid-cols-[1fr_2fr] lg:py-16">
        <BrandPresentation />
        <nav
          aria-label="Pied de page"
          className="grid grid-cols-2 gap-x-6 gap-y-5 sm:gap-x-8 sm:gap-y-7 sm:grid-cols-[repeat(4,auto)] lg:justify-between"
        >
          {getFooterColumns().map(({ title, links }) => (
            <div key={title}>
              <h2 className="text-sm font-semibold tracking-normal">{title}</h2>
              <ul className="mt-1.5 sm:mt-3">
                {links.map(({ label, href }) => (
                  <li key={href}>
                    <Link
                      to={href}
                      className="inline-flex min-h-8 items-center leading-tight text-ink-soft max-sm:text-[0.9375rem] sm:min-h-9 hover:text-ink hover:underline"
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <div className="mx-auto max-w-[1248px] px-4 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 border-line border-t py-5">
          <Badges />
          <p className="flex flex-wrap items-center gap-x-4 text-sm text-ink-soft">
            <ConsentChangeButton />
            {/* Drawn by the server and kept: a page of last year is read this year. */}
            <span suppressHydrationWarning>{`© ${new Date().getFullYear()} ${PRODUCT_NAME}`}</span>
          </p>
        </div>
        <ClaimMarkLegend />
      </div>
    </footer>
  )
}
