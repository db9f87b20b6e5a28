import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type WhiteLabel, WhiteLabelDraft, whiteLabel } from '@voisol/contract/white-label'
import { type CSSProperties, type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { MailView, PdfPreview } from '../../../components/document-preview.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Logo } from '../../../components/logo.tsx'
import { Switch } from '../../../components/radio-group.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { buildThemeVariables } from '../../../components/theme.ts'
import { call, fetchFile } from '../../../lib/call.ts'
import type { BrandDraft } from './appearance.tsx'

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

/** What is typed so far, without what is not whole yet. */
function toValidDraft(values: Record<string, unknown>): BrandDraft {
  const entries = Object.entries(values).filter(([name]) => Object.hasOwn(WhiteLabelDraft.shape, name))
  const validEntries = entries.filter(([name, value]) => {
    const field = WhiteLabelDraft.shape[name as keyof WhiteLabel] // one of its names, as looked above
    return field.safeParse(value).success
  })
  return WhiteLabelDraft.parse(Object.fromEntries(validEntries))
}

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

/** A value once it has stayed the same for a moment: the server is not asked at each letter. */
function useDebouncedValue<T>(value: T, milliseconds: number): T {
  const [debounced, setDebounced] = useState(value)
  const serialized = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(JSON.parse(serialized)), milliseconds)
    return () => clearTimeout(timer)
  }, [serialized, milliseconds])
  return debounced
}

type Props = { companyId: number; draft: BrandDraft }

/** The last invoice of the company, as it would be issued with this look. */
function BrandInvoicePreview({ companyId, draft }: Props) {
  const { primaryColor } = draft
  const { data, error, refetch } = useQuery({
    queryKey: [whiteLabel.previewInvoice.path, companyId, primaryColor],
    queryFn: () => fetchFile(whiteLabel.previewInvoice, { params: { companyId }, body: { primaryColor } }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <PdfPreview file={data} title="Aperçu de la facture">
      Votre dernière facture, dessinée avec cette couleur. Celles qui sont émises ne changent plus.
    </PdfPreview>
  )
}

/** The very layout of every message, with its text part. */
function BrandMailPreview({ companyId, draft }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: [whiteLabel.previewMail.path, companyId, draft],
    queryFn: () => call(whiteLabel.previewMail, { params: { companyId }, body: draft }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return <MailView mail={data} />
}

const BrandMark = ({ look, className }: { look: WhiteLabel; className: string }) => {
  const logoSrc = look.customLogo || look.logoUrl
  return (
    <span className="flex min-w-0 items-center gap-2">
      {logoSrc ? (
        <img src={logoSrc} alt="" className={cx('max-w-24 shrink-0 object-contain', className)} />
      ) : (
        <Logo className={cx('shrink-0', className)} />
      )}
      <bdi className="truncate font-semibold">{look.companyName || 'Voisol'}</bdi>
    </span>
  )
}

const MENU_ITEMS = ['Tableau de bord', 'Opérations', 'Participants', 'Factures']

/** The back office in small: its menu, its buttons, a card. */
const ShellPreview = ({ look }: { look: WhiteLabel }) => (
  <div className="grid grid-cols-[minmax(0,9rem)_1fr] bg-page text-[0.8125rem]">
    <div className="grid content-start gap-1 border-r border-line bg-card p-3">
      <BrandMark look={look} className="h-6" />
      <ul className="mt-3 grid gap-0.5">
        {MENU_ITEMS.map((item, at) => (
          <li
            key={item}
            className={cx(
              'truncate rounded-control px-2 py-1.5',
              at === 0 ? 'bg-primary-soft font-medium text-primary-ink' : 'text-ink-soft',
            )}
          >
            {item}
          </li>
        ))}
      </ul>
    </div>
    <div className="grid content-start gap-3 p-4">
      <p className="text-base font-semibold">Tableau de bord</p>
      <div className={cx(cardClass, 'grid gap-2 p-4')}>
        <span className="text-ink-soft">Énergie locale du mois</span>
        <span className="tabular text-xl font-semibold">
          1 284 <span className="text-sm font-normal text-ink-soft">kWh</span>
        </span>
        <span className="text-link">Voir le détail</span>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small">Établir les factures</Button>
        <Button size="small" variant="secondary">
          Exporter
        </Button>
        <Badge tone="info">En cours</Badge>
      </div>
    </div>
  </div>
)

/** The portal in small, as on a telephone. */
const PortalPreview = ({ look }: { look: WhiteLabel }) => (
  <div className="bg-[#fffcf7]">
    <div className="h-1 bg-local" />
    <div className="border-b border-line bg-card px-4 py-3 text-body">
      <BrandMark look={look} className="h-7" />
    </div>
    {look.clientPortalEnabled ? (
      <div className="grid gap-3 p-4">
        <p className="text-lg leading-snug font-semibold">42 % de votre électricité du mois était locale.</p>
        <div className={cx(cardClass, 'grid gap-3 p-4')}>
          <span className="text-body text-ink-soft">Dernière facture</span>
          <Button className="justify-self-start">Voir ma facture</Button>
        </div>
      </div>
    ) : (
      <p className="p-6 text-body">Cet espace est fermé pour l’instant.</p>
    )}
    <p className="border-t border-line px-4 py-3 text-[0.8125rem] wrap-anywhere whitespace-pre-line text-ink-soft">
      <bdi>{look.clientPortalCustomizations.footer || look.companyName}</bdi>
    </p>
  </div>
)
