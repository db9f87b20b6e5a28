import { useQuery } from '@tanstack/react-query'
import { type ReportTemplate, reports } from '@voisol/contract/reports'
import { Suspense, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { explain } from '../../lib/explain.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { periodsOf, SUBJECT_WORDS, usualPeriod } from './periods.ts'
import type { Asked } from './preview.tsx'

const Preview = lazy(() => import('./preview.tsx'))
const ScheduleDialog = lazy(() => import('./schedule-dialog.tsx'))

const MakeButton = ({ asked }: { asked: Asked }) => {
  const make = useAction(reports.make, [reports.list])
  const run = () =>
    make.run({ body: asked }).then(
      ({ number }) =>
        toast({
          title: `Version ${number} établie`,
          description: 'Elle est conservée avec ses chiffres, parmi les rapports établis.',
          variant: 'success',
        }),
      (error: unknown) => toast({ title: 'Rapport non établi', description: explain(error), variant: 'destructive' }),
    )
  return (
    <Button loading={make.isPending} onClick={() => void run()}>
      Établir le rapport
    </Button>
  )
}

/** Of whom and of when; then it is read, made, or sent on its day. */
export function Compose({ template }: { template: ReportTemplate }) {
  const { ref, subject, span, name } = template
  const can = useCan()
  const { data, error, refetch } = useQuery(query(reports.subjects, { query: { kind: subject } }))
  const [chosen, setChosen] = useState('')
  const [period, setPeriod] = useState(() => usualPeriod(span))
  const [shown, setShown] = useState<Asked>()
  const [planning, setPlanning] = useState(false)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  const subjectId = chosen || (data.items[0]?.id ?? '')
  const asked = { template: ref, subjectId, period }
  const label = SUBJECT_WORDS[subject]
  return (
    <Card title={name} description={template.purpose}>
      {data.items.length === 0 ? (
        <p className="text-body text-ink-soft">Votre organisation n’a encore personne ni rien dont ce rapport parle.</p>
      ) : (
        <div className="grid gap-5 [&>*]:min-w-0">
          <div className="grid gap-4 sm:grid-cols-2">
            <FieldFrame id="report-subject" label={label}>
              <Select
                id="report-subject"
                value={subjectId}
                options={data.items.map((item) => ({ value: item.id, label: item.name }))}
                onChange={({ target }) => setChosen(target.value)}
              />
            </FieldFrame>
            <FieldFrame id="report-period" label={span === 'year' ? 'Année' : 'Mois'}>
              <Select
                id="report-period"
                value={period}
                options={periodsOf(span)}
                onChange={({ target }) => setPeriod(target.value)}
              />
            </FieldFrame>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => setShown(asked)}>
              Voir l’aperçu
            </Button>
            {can(reports.make) && <MakeButton asked={asked} />}
            {can(reports.createSchedule) && (
              <Button variant="quiet" onClick={() => setPlanning(true)}>
                Programmer l’envoi
              </Button>
            )}
          </div>
          <Suspense fallback={<Skeleton className="h-96 w-full" />}>
            {shown && <Preview key={Object.values(shown).join(' ')} asked={shown} />}
            {planning && (
              <ScheduleDialog
                template={template}
                subject={{ id: subjectId, name: data.items.find(({ id }) => id === subjectId)?.name ?? '' }}
                onClose={() => setPlanning(false)}
              />
            )}
          </Suspense>
        </div>
      )}
    </Card>
  )
}
