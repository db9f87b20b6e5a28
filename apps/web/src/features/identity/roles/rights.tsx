import { PERMISSION_LABELS } from '@voisol/contract/permission-labels'
import { type Permission, permissions } from '@voisol/contract/permissions'
import Check from 'lucide-react/icons/check'
import { useId } from 'react'
import { Checkbox, CheckboxInput } from '../../../components/checkbox.tsx'
import { togglePermission } from '../../../lib/permission-sets.ts'

/** Down, then across: the rights of a feature stand under one another. */
const columnsClass = 'gap-x-8 sm:columns-2 [&>*]:mb-2.5 [&>*]:break-inside-avoid'
const getRightLabel = (right: Permission) => PERMISSION_LABELS[right]

type RightFieldsProps = {
  offered: readonly Permission[]
  value: Permission[]
  onChange: (rights: Permission[]) => void
}

function RightGroupFields({
  group: { label, rights },
  value,
  onChange,
}: { group: RightGroup } & Omit<RightFieldsProps, 'offered'>) {
  const id = useId()
  const checkedCount = rights.filter((right) => value.includes(right)).length
  const all = checkedCount === rights.length
  const others = value.filter((right) => !rights.includes(right))
  return (
    <fieldset aria-labelledby={id} className="grid gap-3 border-t border-line pt-4 first:border-0 first:pt-0">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: CheckboxInput renders the input */}
      <label id={id} className="flex min-h-6 items-center gap-2 text-body font-semibold">
        <CheckboxInput
          aria-label={`${label}, tous les droits`}
          checked={all}
          mixed={checkedCount > 0 && !all}
          onChange={() => onChange(all ? others : [...others, ...rights])}
        />
        {label}
        <span className="tabular font-normal text-ink-soft">
          {checkedCount} sur {rights.length}
        </span>
      </label>
      <div className={columnsClass}>
        {rights.map((right) => (
          <Checkbox
            key={right}
            label={getRightLabel(right)}
            checked={value.includes(right)}
            onChange={({ target }) => onChange(togglePermission(value, right, target.checked))}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** What the role may do, group by group. */
export const RightFields = ({ offered, value, onChange }: RightFieldsProps) => (
  <div className="grid gap-5">
    {groupRights(offered).map((group) => (
      <RightGroupFields key={group.label} group={group} value={value} onChange={onChange} />
    ))}
  </div>
)

/** The same, to be read. */
export const RightList = ({ rights }: { rights: readonly Permission[] }) => (
  <div className="grid gap-5">
    {groupRights(rights).map(({ label, rights: own }) => (
      <section key={label} className="grid gap-2.5 border-t border-line pt-4 first:border-0 first:pt-0">
        <h3 className="text-body font-semibold">{label}</h3>
        <ul className={columnsClass}>
          {own.map((right) => (
            <li key={right} className="flex items-start gap-2 text-body">
              <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
              {getRightLabel(right)}
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
)

/** The features as people think of them, and the order in which rights are read. */
const FEATURE_GROUPS = [
  { label: 'Opérations', features: ['operations', 'participants', 'consents', 'projects', 'documents'] },
  {
    label: 'Énergie',
    features: [
      'energy',
      'insights',
      'curves',
      'keys',
      'allocations',
      'reconciliation',
      'reports',
      'analytics',
      'plants',
    ],
  },
  { label: 'Distributeur', features: ['enedis', 'sync', 'distributor-files'] },
  { label: 'Facturation', features: ['tariffs', 'billing', 'invoices', 'parties'] },
  {
    label: 'Encaissements et comptes',
    features: ['payments', 'mandates', 'bank', 'reminders', 'books', 'declarations', 'takeovers'],
  },
  { label: 'Relation', features: ['support', 'messages', 'portal'] },
  {
    label: 'Organisation',
    features: [
      'companies',
      'users',
      'roles',
      'sso',
      'audit',
      'api-keys',
      'gateway',
      'webhooks',
      'flows',
      'connections',
      'exports',
      'subscription',
      'backups',
    ],
  },
  { label: 'Site public', features: ['content', 'seo', 'bookings', 'requests', 'installation'] },
]

type RightGroup = { label: string; rights: Permission[] }

/** Those of a set, by group; what belongs to none comes last, so that a new feature is never out of sight. */
export function groupRights(granted: readonly Permission[]): RightGroup[] {
  const groupedFeatures = FEATURE_GROUPS.flatMap(({ features }) => features)
  const otherFeatures = permissions
    .map((right) => right.split('.')[0] ?? '')
    .filter((feature) => !groupedFeatures.includes(feature))
  const selectRights = (features: readonly string[]) =>
    features.flatMap((feature) =>
      permissions.filter((right) => right.startsWith(`${feature}.`) && granted.includes(right)),
    )
  return [...FEATURE_GROUPS, { label: 'Autres droits', features: [...new Set(otherFeatures)] }]
    .map(({ label, features }) => ({ label, rights: selectRights(features) }))
    .filter(({ rights }) => rights.length > 0)
}
