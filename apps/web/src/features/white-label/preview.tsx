import type { WhiteLabel } from '@voisol/contract/white-label'
import { type CSSProperties, type ReactNode, useDeferredValue, useState } from 'react'
import { Switch } from '../../ui/switch.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { themeVariables } from '../../ui/theme.ts'
import { type Draft, soundDraft } from './draft.ts'
import { InvoicePreview, MailPreview } from './preview-paper.tsx'
import { PortalPreview, ShellPreview } from './preview-shell.tsx'
import { useSettled } from './use-settled.ts'

/** Dressed in the look that is being tried, and only to be looked at. */
const Dressed = ({
  look,
  dark,
  label,
  children,
}: {
  look: WhiteLabel
  dark: boolean
  label: string
  children: ReactNode
}) => (
  <figure aria-label={label} className="m-0">
    <div
      inert
      style={{ ...themeVariables(look, { prefersDark: dark }), fontFamily: 'var(--font-brand)' } as CSSProperties} // its own variables
      className="overflow-hidden rounded-lg border border-line-strong"
    >
      {children}
    </div>
    <figcaption className="mt-2 text-[0.8125rem] text-ink-soft">Les chiffres sont des exemples.</figcaption>
  </figure>
)

/** What the look becomes in the product, while it is being chosen. */
export function BrandPreview({
  look: current,
  changed,
  companyId,
}: {
  look: WhiteLabel
  changed: Record<string, unknown>
  companyId: number
}) {
  const look = useDeferredValue(current)
  const [dark, setDark] = useState(false)
  const draft: Draft = useSettled(soundDraft(changed), 600)
  const shown = { look, dark: dark && look.darkModeEnabled }
  return (
    <div className="grid gap-4">
      {look.darkModeEnabled && (
        <Switch label="Comme sur un appareil en mode sombre" checked={dark} onChange={() => setDark(!dark)} />
      )}
      <Tabs
        label="Aperçus"
        tabs={[
          {
            value: 'back-office',
            label: 'Back-office',
            content: (
              <Dressed {...shown} label="Aperçu du back-office">
                <ShellPreview look={look} />
              </Dressed>
            ),
          },
          {
            value: 'portail',
            label: 'Espace client',
            content: (
              <Dressed {...shown} label="Aperçu de l’espace client">
                <PortalPreview look={look} />
              </Dressed>
            ),
          },
          { value: 'facture', label: 'Facture', content: <InvoicePreview companyId={companyId} draft={draft} /> },
          { value: 'message', label: 'Message', content: <MailPreview companyId={companyId} draft={draft} /> },
        ]}
      />
    </div>
  )
}
