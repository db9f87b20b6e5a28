import { findFarthestPoints, PERIMETER_RULES as RULES } from '@voisol/energy/perimeter'
import { useWatch } from 'react-hook-form'
import { CheckFindingList } from '../../../../components/issue-list.tsx'
import { formatDistance } from '../../../../components/map/geo.ts'
import { formatCount, formatPower } from '../../../../lib/format.ts'
import type { OperationWizardDraft } from './draft.ts'
import { buildDraftPlaces, checkDraftPerimeter, computeDraftPower } from './perimeter.ts'
import type { DraftForm } from './use-draft.ts'

const LabelledValue = ({ label, children }: { label: string; children: string }) => (
  <div>
    <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
    <dd className="tabular font-medium">{children}</dd>
  </div>
)

/** The rules of proximity and power on what is typed so far, at every keystroke. */
export function PerimeterCheck({ form }: { form: DraftForm }) {
  const draft = useWatch({ control: form.control }) as OperationWizardDraft // every field has a default
  const located = buildDraftPlaces(draft).filter(({ latitude }) => Number.isFinite(latitude))
  const { metres } = findFarthestPoints(located)
  const { watts } = computeDraftPower(draft)
  const { km } = RULES[draft.perimeter]
  return (
    <section aria-label="Contrôle du périmètre" className="grid gap-4 rounded-card border border-line bg-page p-4">
      <h3 className="text-body font-semibold">Contrôle du périmètre</h3>
      <dl className="grid gap-4 sm:grid-cols-3">
        <LabelledValue label="Puissance cumulée">
          {watts > 0 ? formatPower(watts).replace('W', 'Wc') : 'Pas encore connue'}
        </LabelledValue>
        <LabelledValue label="Points situés">{formatCount(located.length, 'point')}</LabelledValue>
        <LabelledValue label="Plus grande distance">
          {located.length > 1
            ? `${formatDistance(metres)}${km === null ? '' : ` sur ${km}\u00a0km`}`
            : 'Deux points situés au moins'}
        </LabelledValue>
      </dl>
      <CheckFindingList
        findings={checkDraftPerimeter(draft)}
        fine="Rien à redire sur la distance et la puissance saisies jusqu’ici."
      />
    </section>
  )
}
