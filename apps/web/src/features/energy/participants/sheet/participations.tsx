import { withDe } from '@voisol/contract/elision'
import type { ParticipantDetail } from '@voisol/contract/participants'
import { type Participation, participations, points } from '@voisol/contract/points'
import { addDays, monthOf } from '@voisol/energy/calendar'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { cx } from '../../../../components/cx.ts'
import { Confirm, Dialog } from '../../../../components/dialog.tsx'
import { MeterSideLabel } from '../../../../components/energy-cells.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { Link } from '../../../../components/link.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../../components/menu.tsx'
import { getTodayInParis } from '../../../../components/period/period.ts'
import { formatMonthYear } from '../../../../components/period/period-labels.ts'
import { Can, useCan, withAccess } from '../../../../lib/can.tsx'
import { confirmImpact } from '../../../../lib/confirm-impact.ts'
import { formatPrm, PARTICIPANT_STATE_LABELS } from '../../../../lib/energy-labels.ts'
import { useSchemaForm } from '../../../../lib/form.ts'
import { formatDate } from '../../../../lib/format.ts'
import { useAction } from '../../../../lib/queries.ts'
import { useUser } from '../../../../lib/session.ts'
import { toast } from '../../../../lib/toast.ts'
import { PointFieldset } from '../entry-choices.tsx'
import { formatPointPower, PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'
import { PointForm, toPointForm, toPointValues } from '../meter-form.ts'
import { Section, useRefreshOnError } from './drawer-section.tsx'

const EntryFields = lazy(async () => ({ default: (await import('../entry-form.tsx')).EntryFields }))

const formatParticipationDates = ({ startsOn, endsOn }: Participation) =>
  endsOn ? `Du ${formatDate(startsOn)} au ${formatDate(endsOn)} (exclu)` : `Depuis le ${formatDate(startsOn)}`

const formatAgreement = ({ agreementSignedOn, noticeOn }: Participation) =>
  [
    agreementSignedOn ? `Accord signé le ${formatDate(agreementSignedOn)}` : 'Accord non signé',
    noticeOn && `notification du ${formatDate(noticeOn)}`,
  ]
    .filter(Boolean)
    .join(', ')

/** The latest month of the stay that readings can be known of. */
const getMonthToExplain = ({ startsOn, endsOn }: Participation) => {
  const yesterday = addDays(getTodayInParis(), -1)
  const last = endsOn && endsOn <= yesterday ? addDays(endsOn, -1) : yesterday
  return last < startsOn ? null : monthOf(last)
}

/** For the member who asks: the page that explains the figure of the month. */
const ExplanationLink = ({ participation }: { participation: Participation }) => {
  const { operationId, participantId, point } = participation
  const mois = getMonthToExplain(participation)
  if (mois === null || point.direction !== 'consumption') return null
  return (
    <Link
      to={`/acc-operations/${operationId}/why?${new URLSearchParams({ membre: participantId, mois })}`}
      className="mt-1 inline-block text-link"
    >
      Énergie locale {withDe(formatMonthYear(mois).toLowerCase())}&#160;: pourquoi ce chiffre&#160;?
    </Link>
  )
}

const ParticipationItem = ({ participation }: { participation: Participation }) => (
  <li className="relative pb-4 pl-6 last:pb-0">
    <span
      aria-hidden="true"
      className={cx(
        'absolute top-1.5 left-0 size-2.5 rounded-full border-2',
        participation.state === 'active' ? 'border-primary-solid bg-primary-solid' : 'border-control bg-card',
      )}
    />
    <div className="flex items-start justify-between gap-x-2 text-body">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link to={`/acc-operations/${participation.operationId}`} className="font-medium text-link">
            {participation.operationName}
          </Link>
          <Badge tone={PARTICIPANT_STATE_LABELS[participation.state].tone}>
            {PARTICIPANT_STATE_LABELS[participation.state].label}
          </Badge>
        </p>
        <p className="mt-0.5">{formatParticipationDates(participation)}</p>
        <p className={cx('text-[0.8125rem]', participation.agreementSignedOn ? 'text-ink-soft' : 'text-warning')}>
          {formatAgreement(participation)}
        </p>
        <ExplanationLink participation={participation} />
      </div>
      <ParticipationActions participation={participation} />
    </div>
  </li>
)

/** The curve of the point, in the operation of its latest stay. */
function useCurvePathBuilder() {
  const { companyId } = useUser()
  return ([latest]: Participation[]) =>
    `/companies/${companyId}/operations/${latest?.operationId}/load-curves/${latest?.point.id}`
}

/** A point, and the stays it had in operations, the latest first. */
const PointCard = ({ stays: periods }: { stays: Participation[] }) => {
  const buildCurvePath = useCurvePathBuilder()
  const point = periods[0]?.point
  if (!point) return null
  return (
    <li className="rounded-card border border-line">
      <header className="flex items-center justify-between gap-x-2 border-b border-line bg-page px-4 py-2.5 text-body">
        <div className="min-w-0">
          <h4 className="tabular font-medium">
            <Link to={buildCurvePath(periods)} className="text-link">
              PRM {formatPrm(point.prm)}
            </Link>
          </h4>
          <p className="text-[0.8125rem] text-ink-soft">
            <MeterSideLabel direction={point.direction} storage={point.storage} />
            {[formatPointPower(point), point.label].filter(Boolean).map((text) => ` · ${text}`)}
          </p>
        </div>
        <EditPointButton point={point} />
      </header>
      <ol className="px-4 py-3 [&>li:not(:last-child)]:before:absolute [&>li:not(:last-child)]:before:top-3 [&>li:not(:last-child)]:before:bottom-0 [&>li:not(:last-child)]:before:left-[0.28rem] [&>li:not(:last-child)]:before:w-px [&>li:not(:last-child)]:before:bg-line-strong">
        {periods.map((participationPeriod) => (
          <ParticipationItem key={participationPeriod.id} participation={participationPeriod} />
        ))}
      </ol>
    </li>
  )
}

const groupByPoint = (list: Participation[]) =>
  [...Map.groupBy(list, ({ point }) => point.id).values()].map((periods) => periods.toReversed())

export function ParticipationSection({ participant }: { participant: ParticipantDetail }) {
  const [open, setOpen] = useState(false)
  const groups = groupByPoint(participant.participations)
  return (
    <Section
      title="Points et participations"
      actions={
        <Can call={participations.create}>
          <Dialog
            title="Ajouter un point"
            description={participant.name}
            open={open}
            onOpenChange={setOpen}
            trigger={
              <Button variant="secondary" size="small" icon={<Plus aria-hidden="true" />}>
                Ajouter un point
              </Button>
            }
          >
            <Suspense fallback={null}>
              <EntryFields participantId={participant.id} onDone={() => setOpen(false)} />
            </Suspense>
          </Dialog>
        </Can>
      }
    >
      {groups.length === 0 ? (
        <p className="text-body text-ink-soft">Aucun point de livraison n’est encore rattaché à ce participant.</p>
      ) : (
        <ul className="grid gap-3">
          {groups.map((periods) => (
            <PointCard key={periods[0]?.point.id} stays={periods} />
          ))}
        </ul>
      )}
    </Section>
  )
}

type ParticipationPoint = Participation['point']

function PointEditForm({ point, onDone }: { point: ParticipationPoint; onDone: () => void }) {
  const [{ id, version, direction }] = useState(point)
  const update = useAction(points.update, PARTICIPANT_DEPENDENT_QUERIES)
  const refresh = useRefreshOnError()
  const form = useSchemaForm(PointForm, {
    defaults: toPointForm(point),
    save: async (value) => {
      await update.run({ params: { id }, body: { ...toPointValues(value), version } }).catch(refresh)
      toast({ title: 'Point enregistré', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <PointFieldset form={form} name={(field) => field} direction={direction} />
      {direction === 'consumption' && <Field form={form} name="label" label="Libellé du point" optional />}
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le point
      </Button>
    </form>
  )
}

const EditPointButton = withAccess(points.update, ({ point }: { point: ParticipationPoint }) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Modifier le point"
      description={`PRM ${formatPrm(point.prm)}`}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="quiet" size="small" aria-label={`Modifier le point ${formatPrm(point.prm)}`}>
          Modifier
        </Button>
      }
    >
      <PointEditForm point={point} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

const ParticipationDatesDialog = lazy(async () => ({
  default: (await import('./dates-dialog.tsx')).ParticipationDatesDialog,
}))
const TransferDialog = lazy(async () => ({ default: (await import('./transfer-dialog.tsx')).TransferDialog }))

const ParticipationActions = withAccess(
  participations.update,
  ({ participation }: { participation: Participation }) => {
    const [panel, setPanel] = useState<'dates' | 'transfer' | 'remove'>()
    const remove = useAction(participations.remove, PARTICIPANT_DEPENDENT_QUERIES)
    const can = useCan()
    const close = () => setPanel(undefined)
    const refresh = useRefreshOnError()
    const { id, operationName, point } = participation
    const removeParticipation = async () => {
      const previewToken = await confirmImpact({ kind: 'remove', id }, 'Retirer la participation')
      if (!previewToken) return
      await remove.run({ params: { id }, query: previewToken })
      toast({ title: 'Participation retirée', variant: 'success' })
    }
    return (
      <>
        <Menu
          trigger={
            <Button
              variant="quiet"
              size="small"
              aria-label={`Actions pour ${operationName}, PRM ${formatPrm(point.prm)}`}
              icon={<Ellipsis aria-hidden="true" />}
            >
              Actions
            </Button>
          }
        >
          <MenuItem onSelect={() => setPanel('dates')}>Modifier les dates</MenuItem>
          {participation.state !== 'past' && can(participations.transfer) && (
            <MenuItem onSelect={() => setPanel('transfer')}>Changer le titulaire</MenuItem>
          )}
          <MenuSeparator />
          <MenuItem tone="danger" onSelect={() => setPanel('remove')}>
            Retirer la participation
          </MenuItem>
        </Menu>
        <Suspense fallback={null}>
          {panel === 'dates' && (
            <ParticipationDatesDialog participation={participation} onClose={close} refresh={refresh} />
          )}
          {panel === 'transfer' && <TransferDialog participation={participation} onClose={close} />}
        </Suspense>
        <Confirm
          open={panel === 'remove'}
          onOpenChange={close}
          title="Retirer cette participation&#160;?"
          description={`Elle disparaît de «\u00a0${operationName}\u00a0» comme si elle n’avait pas eu lieu. Pour un départ, indiquez plutôt un jour de sortie.`}
          action="Retirer la participation"
          onConfirm={removeParticipation}
        />
      </>
    )
  },
)
