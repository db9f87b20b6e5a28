import type { WhiteLabel } from '@voisol/contract/white-label'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { Logo } from '../../ui/logo.tsx'

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
export const ShellPreview = ({ look }: { look: WhiteLabel }) => (
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
export const PortalPreview = ({ look }: { look: WhiteLabel }) => (
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
