import type { WhiteLabel } from '@voisol/contract/white-label'
import { type CSSProperties, type ReactNode, useDeferredValue, useState } from 'react'
import { Switch } from '../../ui/switch.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { buildThemeVariables } from '../../ui/theme.ts'
import { type BrandDraft, toValidDraft } from './draft.ts'
import { BrandInvoicePreview, BrandMailPreview } from './preview-paper.tsx'
import { PortalPreview, ShellPreview } from './preview-shell.tsx'
import { useDebouncedValue } from './use-settled.ts'

/** Dressed in the look that is being tried, and only to be looked at. */
const ThemedFrame = ({
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
      style={{ ...buildThemeVariables(look, { prefersDark: dark }), fontFamily: 'var(--font-brand)' } as CSSProperties} // its own variables
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
  const draft: BrandDraft = useDebouncedValue(toValidDraft(changed), 600)
  const frameProps = { look, dark: dark && look.darkModeEnabled }
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
              <ThemedFrame {...frameProps} label="Aperçu du back-office">
                <ShellPreview look={look} />
              </ThemedFrame>
            ),
          },
          {
            value: 'portail',
            label: 'Espace client',
            content: (
              <ThemedFrame {...frameProps} label="Aperçu de l’espace client">
                <PortalPreview look={look} />
              </ThemedFrame>
            ),
          },
          { value: 'facture', label: 'Facture', content: <BrandInvoicePreview companyId={companyId} draft={draft} /> },
          { value: 'message', label: 'Message', content: <BrandMailPreview companyId={companyId} draft={draft} /> },
        ]}
      />
    </div>
  )
}
