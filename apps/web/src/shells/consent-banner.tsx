import { useSyncExternalStore } from 'react'
import { consent, isMeasured, onConsent, setConsent } from '../lib/analytics.ts'
import { Button } from '../ui/button.tsx'

const asked = () => isMeasured() && consent() === null
const never = () => false

/** Shown only where visits are measured, until the visitor chooses; refusing is as easy as accepting. */
export function ConsentBanner() {
  const shown = useSyncExternalStore(onConsent, asked, never)
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
        <Button variant="secondary" size="small" onClick={() => setConsent('refused')}>
          Refuser
        </Button>
        <Button variant="secondary" size="small" onClick={() => setConsent('granted')}>
          Accepter
        </Button>
      </div>
    </section>
  )
}
