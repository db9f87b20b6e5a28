import { type KeyDetail, keys } from '@voisol/contract/keys'
import { daysBetween } from '@voisol/energy/calendar'
import Copy from 'lucide-react/icons/copy'
import { useNavigate } from 'react-router'
import { withAccess } from '../../../lib/can.tsx'
import { ALLOCATION_METHOD_LABELS } from '../../../lib/energy-labels.ts'
import { formatCount } from '../../../lib/format.ts'
import { confirmImpact } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { formatGaps } from '../../../ui/gap-words.ts'
import { useTabLink } from '../tab-link.ts'
import { formatNumericDay } from '../words.tsx'
import { KEY_DEPENDENT_QUERIES, NEW_VERSION } from './changes.ts'
import { formatKeyPeriod } from './state.tsx'

/** Whoever adopts a version knows what its files leave to the default rule. */
const UncoveredDays = ({ detail: { uncovered } }: { detail: KeyDetail }) =>
  uncovered !== null &&
  uncovered.days > 0 && (
    <span className="mt-3 block font-medium text-warning">
      {formatCount(uncovered.days, 'jour')} sur {daysBetween(uncovered.from, uncovered.to)} sans coefficients&nbsp;:{' '}
      {formatGaps(uncovered.gaps)}. La règle par défaut s’y appliquera.
    </span>
  )

export const AdoptKeyButton = withAccess(keys.adopt, ({ detail, changed }: { detail: KeyDetail; changed: boolean }) => {
  const { run } = useAction(keys.adopt, KEY_DEPENDENT_QUERIES)
  const isRefused = detail.problems.some(({ severity }) => severity === 'refused')
  const adopt = async () => {
    const { id, version } = detail
    const seen = await confirmImpact({ kind: 'adopt', id, body: { version } }, 'Adopter cette version')
    if (!seen) return
    await run({ params: { id }, body: { version, ...seen } })
    toast({ title: `Version ${detail.number} adoptée`, variant: 'success' })
  }
  return (
    <Confirm
      tone="primary"
      title={`Adopter la version ${detail.number}\u00a0?`}
      description={
        <>
          L’énergie sera répartie selon la méthode «&nbsp;{ALLOCATION_METHOD_LABELS[detail.method].label}&nbsp;»{' '}
          {formatKeyPeriod(detail)}. Les calculs provisoires de ces jours seront refaits&nbsp;; les calculs définitifs
          seront marqués à rectifier.
          <UncoveredDays detail={detail} />
        </>
      }
      action="Adopter cette version"
      onConfirm={adopt}
      trigger={
        <Button variant="secondary" disabled={changed || isRefused}>
          Adopter cette version
        </Button>
      }
    />
  )
})

export const RemoveKeyDraftButton = withAccess(keys.remove, ({ detail }: { detail: KeyDetail }) => {
  const navigate = useNavigate()
  const link = useTabLink()
  const { run } = useAction(keys.remove, [keys.list, keys.compare])
  const remove = async () => {
    await run({ params: { id: detail.id } })
    void navigate(link('cles'))
  }
  return (
    <Confirm
      title={`Supprimer le brouillon ${detail.number}\u00a0?`}
      description={`La version prévue au ${formatNumericDay(detail.startsOn)} et ses coefficients seront perdus.`}
      action="Supprimer le brouillon"
      onConfirm={remove}
      trigger={<Button variant="quiet">Supprimer le brouillon</Button>}
    />
  )
})

export const CopyKeyLink = withAccess(keys.create, ({ id }: { id: string }) => {
  const link = useTabLink()
  return (
    <ButtonLink
      variant="secondary"
      size="small"
      icon={<Copy aria-hidden="true" />}
      to={link('cles', { cle: NEW_VERSION, modele: id })}
    >
      Copier dans une nouvelle version
    </ButtonLink>
  )
})
