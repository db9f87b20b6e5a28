import { useSyncExternalStore } from 'react'
import { getConsent, isAnalyticsConfigured, onAnalyticsConsentChange, setAnalyticsConsent } from '../lib/analytics.ts'
import { Button } from '../ui/button.tsx'

const isConsentPending = () => isAnalyticsConfigured() && getConsent() === null
const returnFalse = () => false

/** Shown only where visits are measured, until the visitor chooses; refusing is as easy as accepting. */
export function ConsentBanner() {
  const shown = useSyncExternalStore(onAnalyticsConsentChange, isConsentPending, returnFalse)
  if (!shown) return null
  return (
    <section
      aria-label="Mesure d’audience"
      data-print="hide"
      className="fixed inset-x-3 bottom-3 z-40 flex animate-rise flex-wrap items-center gap-3 rounded-card border border-line bg-card p-4 shadow-float sm:right-auto sm:max-w-md"
    >
      <p className="min-w-0 flex-1 basis-60 text-[0.8125rem] text-ink-soft">
        Nous comptons les pages vues pour améliorer le site. Aucun autre service n’y a accès.
      </p>
      <div className="flex gap-2">
        <Button variant="secondary" size="small" onClick={() => setAnalyticsConsent('refused')}>
          Refuser
        </Button>
        <Button variant="secondary" size="small" onClick={() => setAnalyticsConsent('granted')}>
          Accepter
        </Button>
      </div>
    </section>
  )
}
