import { useQuery } from '@tanstack/react-query'
import { type ReportTemplate, reports } from '@voisol/contract/reports'
import { Suspense, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { buildPeriodOptions, getUsualPeriod, SUBJECT_LABELS } from './periods.ts'
import type { ReportRequest } from './preview.tsx'

const ReportPreview = lazy(() => import('./preview.tsx'))
const NewScheduleDialog = lazy(() => import('./schedule-dialog.tsx'))

const MakeReportButton = ({ asked: request }: { asked: ReportRequest }) => {
  const make = useAction(reports.make, [reports.list])
  const run = () =>
    make.run({ body: request }).then(
      ({ number }) =>
        toast({
          title: `Version ${number} établie`,
          description: 'Elle est conservée avec ses chiffres, parmi les rapports établis.',
          variant: 'success',
        }),
      (error: unknown) =>
        toast({ title: 'Rapport non établi', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button loading={make.isPending} onClick={() => void run()}>
      Établir le rapport
    </Button>
  )
}

/** Of whom and of when; then it is read, made, or sent on its day. */
export function ReportBuilder({ template }: { template: ReportTemplate }) {
  const { ref, subject, span, name } = template
  const can = useCan()
  const { data, error, refetch } = useQuery(query(reports.subjects, { query: { kind: subject } }))
  const [chosenSubjectId, setChosenSubjectId] = useState('')
  const [period, setPeriod] = useState(() => getUsualPeriod(span))
  const [previewedRequest, setPreviewedRequest] = useState<ReportRequest>()
  const [isScheduling, setIsScheduling] = useState(false)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  const subjectId = chosenSubjectId || (data.items[0]?.id ?? '')
  const request = { template: ref, subjectId, period }
  const label = SUBJECT_LABELS[subject]
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
                onChange={({ target }) => setChosenSubjectId(target.value)}
              />
            </FieldFrame>
            <FieldFrame id="report-period" label={span === 'year' ? 'Année' : 'Mois'}>
              <Select
                id="report-period"
                value={period}
                options={buildPeriodOptions(span)}
                onChange={({ target }) => setPeriod(target.value)}
              />
            </FieldFrame>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => setPreviewedRequest(request)}>
              Voir l’aperçu
            </Button>
            {can(reports.make) && <MakeReportButton asked={request} />}
            {can(reports.createSchedule) && (
              <Button variant="quiet" onClick={() => setIsScheduling(true)}>
                Programmer l’envoi
              </Button>
            )}
          </div>
          <Suspense fallback={<Skeleton className="h-96 w-full" />}>
            {previewedRequest && (
              <ReportPreview key={Object.values(previewedRequest).join(' ')} asked={previewedRequest} />
            )}
            {isScheduling && (
              <NewScheduleDialog
                template={template}
                subject={{ id: subjectId, name: data.items.find(({ id }) => id === subjectId)?.name ?? '' }}
                onClose={() => setIsScheduling(false)}
              />
            )}
          </Suspense>
        </div>
      )}
    </Card>
  )
}
