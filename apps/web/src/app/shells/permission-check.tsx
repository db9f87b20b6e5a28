import type { CurrentUser } from '@voisol/contract/auth'
import { PERMISSION_LABELS } from '@voisol/contract/permission-labels'
import { PERMISSIONS, type Permission } from '@voisol/contract/permissions'
import Lock from 'lucide-react/icons/lock'
import type { ComponentType } from 'react'
import { Link } from 'react-router'
import { cardClass } from '../../components/card.tsx'
import { cx } from '../../components/cx.ts'
import { findMissingPermission } from '../../lib/admission.ts'
import { useSession } from '../../lib/session.ts'
import { getPageSettings } from '../../lib/settings.ts'
import { filterAllowedScreens, getScreens } from '../screens/table.ts'
import type { Screen } from '../screens/types.ts'
import { buildNavSections, type NavItem } from './nav.ts'
import { navIcons } from './nav-icons.ts'

/** The screen for those who hold its rights; the others are told which one they lack. */
export const withPermissionCheck = (row: Screen, Shown: ComponentType) =>
  function Gate() {
    const { user } = useSession()
    if (!user) return null
    const missing = findMissingPermission(row, user)
    return missing ? <AccessDenied title={row.title} missing={missing} user={user} /> : <Shown />
  }

const table = getScreens(getPageSettings().development === 'true')
/** What everybody has, whatever their rights. */
const PERSONAL_ITEMS: NavItem[] = [
  { path: '/settings/profile', label: 'Mon profil', icon: 'user' },
  { path: '/notifications', label: 'Notifications', icon: 'bell' },
]

const AccessibleScreens = ({ items }: { items: NavItem[] }) => (
  <nav aria-labelledby="ouverts" className="grid gap-3">
    <h2 id="ouverts" className="text-base font-semibold">
      Ce que vous pouvez ouvrir
    </h2>
    <ul className="grid gap-2 sm:grid-cols-2 xl:grid-cols-3">
      {items.map(({ path, label, icon }) => {
        const Icon = navIcons[icon]
        return (
          <li key={path}>
            <Link
              to={path}
              className={cx(
                cardClass,
                'flex min-h-12 items-center gap-3 px-4 text-body font-medium hover:border-control',
              )}
            >
              <Icon aria-hidden="true" className="size-[1.125rem] text-ink-soft" />
              {label}
            </Link>
          </li>
        )
      })}
    </ul>
  </nav>
)

type Props = { title: string; missing: Permission; user: CurrentUser }

/** In place of a screen whose right is missing: the shell stays, nothing of the screen is asked for. */
function AccessDenied({ title, missing, user }: Props) {
  const items = buildNavSections(filterAllowedScreens(table, user), user.companyId).flatMap((section) => section.items)
  const { why, whom } = explainMissingPermission(missing, user)
  return (
    <>
      <h1 className="mb-6 text-2xl font-semibold">{title}</h1>
      <div className="grid max-w-4xl gap-8">
        <section aria-labelledby="refus" className={cx(cardClass, 'flex gap-4 p-6')}>
          <span className="grid size-10 shrink-0 place-items-center rounded-full bg-slate-100">
            <Lock aria-hidden="true" className="size-5 text-ink-soft" />
          </span>
          <div className="grid gap-1 text-body">
            <h2 id="refus" className="text-base font-semibold">
              Accès refusé
            </h2>
            <p className="text-ink-soft">
              {why} <span className="font-medium text-ink">«{`\u00a0${PERMISSION_LABELS[missing]}\u00a0`}»</span>.{' '}
              {whom}
            </p>
          </div>
        </section>
        <AccessibleScreens items={[...items, ...PERSONAL_ITEMS]} />
      </div>
    </>
  )
}

type PermissionTraits = { whole?: true; site?: true }

/** Why somebody lacks a right, up to its name, and whom to ask for it. */
export function explainMissingPermission(missing: Permission, { roleName, operationIds }: CurrentUser) {
  const { whole, site }: PermissionTraits = PERMISSIONS[missing]
  if (site)
    return {
      why: 'Cet écran demande le droit',
      whom: 'Ce droit n’existe que dans l’organisation qui tient le site public.',
    }
  if (whole && operationIds)
    return {
      why: 'Votre accès est limité à certaines opérations. Cet écran concerne toute l’organisation\u00a0: il demande le droit',
      whom: 'Un administrateur de votre organisation peut lever cette limite.',
    }
  return {
    why: `Votre rôle, «\u00a0${roleName}\u00a0», ne comprend pas le droit`,
    whom: 'Demandez-le à un administrateur de votre organisation.',
  }
}
