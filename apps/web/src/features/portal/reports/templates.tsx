import { useQuery } from '@tanstack/react-query'
import type { ReportBlock } from '@voisol/contract/report-blocks'
import { type ReportTemplate, reports } from '@voisol/contract/reports'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { Card, cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FieldFrame, Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Can, useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import type { ReportRequest } from './preview.tsx'
import { buildPeriodOptions, getUsualPeriod } from './report-periods.ts'

const EditTemplateDialog = lazy(() => import('./template-dialog.tsx'))
type Props = { template: ReportTemplate }

const CopyTemplateButton = ({ template: { ref, name } }: Props) => {
  const copy = useAction(reports.createTemplate, [reports.templates])
  const copyName = `${name}, le nôtre`
  const run = () =>
    copy.run({ body: { preset: ref, name: copyName } }).then(
      () =>
        toast({
          title: 'Modèle copié',
          description: `«\u00a0${copyName}\u00a0» peut être modifié.`,
          variant: 'success',
        }),
      (error: unknown) =>
        toast({ title: 'Modèle non copié', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button
      variant="quiet"
      size="small"
      loading={copy.isPending}
      aria-label={`Copier ${name} pour le modifier`}
      onClick={() => void run()}
    >
      Copier
    </Button>
  )
}

function OwnTemplateActions({ template }: Props) {
  const { ref, name } = template
  const remove = useAction(reports.removeTemplate, [reports.templates])
  const [panel, setPanel] = useState<'edit' | 'remove'>()
  const close = () => setPanel(undefined)
  return (
    <>
      <Button variant="quiet" size="small" aria-label={`Modifier ${name}`} onClick={() => setPanel('edit')}>
        Modifier
      </Button>
      <Button variant="quiet" size="small" aria-label={`Retirer ${name}`} onClick={() => setPanel('remove')}>
        Retirer
      </Button>
      <Suspense fallback={null}>
        {panel === 'edit' && <EditTemplateDialog template={template} onClose={close} />}
      </Suspense>
      {panel === 'remove' && (
        <Confirm
          open
          onOpenChange={close}
          title={`Retirer «\u00a0${name}\u00a0»\u00a0?`}
          description="Les rapports déjà établis d’après ce modèle restent."
          action="Retirer le modèle"
          onConfirm={() => remove.run({ params: { id: ref } })}
        />
      )}
    </>
  )
}

function TemplateCard({ template, chosen, onChoose }: Props & { chosen: boolean; onChoose: () => void }) {
  const { name, purpose, blocks, version } = template
  return (
    <li className={cx(cardClass, 'flex gap-4 p-4', chosen && 'outline-2 -outline-offset-1 outline-primary')}>
      <ReportThumbnail blocks={blocks} />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <h3 className="font-semibold">{name}</h3>
        <p className="text-[0.8125rem] text-ink-soft">{purpose}</p>
        <div className="mt-auto flex flex-wrap gap-1">
          <Button
            variant="secondary"
            size="small"
            aria-pressed={chosen}
            aria-label={`Choisir ${name}`}
            onClick={onChoose}
          >
            {chosen ? 'Choisi' : 'Choisir'}
          </Button>
          <Can call={reports.createTemplate}>
            <CopyTemplateButton template={template} />
          </Can>
          {version > 0 && (
            <Can call={reports.updateTemplate}>
              <OwnTemplateActions template={template} />
            </Can>
          )}
        </div>
      </div>
    </li>
  )
}

/** The templates with their page in small, and what the chosen one is made of and of whom. */
export default function ReportTemplates() {
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(query(reports.templates, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const chosen = data.items.find(({ ref }) => ref === search.get('modele')) ?? data.items[0]
  const choose = (ref: string) =>
    setSearch((old) => {
      old.set('modele', ref)
      return old
    })
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <section aria-labelledby="report-templates">
        <h2 id="report-templates" className="sr-only">
          Modèles
        </h2>
        <ul className="grid gap-4 md:grid-cols-2 md:max-2xl:[&>:last-child:nth-child(odd)]:col-span-2 2xl:grid-cols-3">
          {data.items.map((template) => (
            <TemplateCard
              key={template.ref}
              template={template}
              chosen={template === chosen}
              onChoose={() => choose(template.ref)}
            />
          ))}
        </ul>
      </section>
      {chosen && <ReportBuilder key={chosen.ref} template={chosen} />}
    </div>
  )
}

const [WIDTH, HEIGHT] = [104, 147]
const BARS = [7, 9, 13, 16, 19, 21, 20, 18, 14, 10, 8, 6]
type ThumbnailPart =
  | { kind: 'figures'; count: number }
  | { kind: 'text' }
  | { kind: 'table' }
  | { kind: 'chart'; source: string }

/** Figures that follow one another are one row of the page, as on the paper. */
function toThumbnailParts(blocks: ReportBlock[]): ThumbnailPart[] {
  const parts: ThumbnailPart[] = []
  for (const block of blocks) {
    const last = parts.at(-1)
    if (block.kind === 'figure' && last?.kind === 'figures') last.count++
    else if (block.kind === 'figure') parts.push({ kind: 'figures', count: 1 })
    else if (block.kind === 'chart') parts.push({ kind: 'chart', source: block.source })
    else parts.push({ kind: block.kind })
  }
  return parts
}
const PART_HEIGHTS = { figures: 14, chart: 30, table: 24, text: 14 }
const getPartHeight = (part: ThumbnailPart) =>
  part.kind === 'figures' ? Math.ceil(part.count / 3) * PART_HEIGHTS.figures + 3 : PART_HEIGHTS[part.kind] + 4

const TextLines = ({ y, widths }: { y: number; widths: number[] }) =>
  widths.map((width, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
    <rect key={at} x={10} y={y + at * 4} width={width} height={1.6} rx={0.8} fill="#cbd5e1" />
  ))

function ThumbnailShape({ part, y }: { part: ThumbnailPart; y: number }) {
  if (part.kind === 'text') return <TextLines y={y} widths={[84, 80, 62]} />
  if (part.kind === 'table') return <TextLines y={y} widths={[84, 84, 84, 84, 84]} />
  if (part.kind === 'figures')
    return Array.from({ length: part.count }, (_, at) => {
      const [x, top] = [10 + (at % 3) * 28.5, y + Math.floor(at / 3) * PART_HEIGHTS.figures]
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: tiles have no name but their place
        <g key={at}>
          <rect x={x} y={top} width={27} height={12} rx={1.5} fill="#f8fafc" stroke="#e2e8f0" strokeWidth={0.6} />
          <rect x={x + 3} y={top + 3} width={10} height={1.2} rx={0.6} fill="#cbd5e1" />
          <rect x={x + 3} y={top + 6} width={16} height={2.6} rx={0.8} fill="#0f172a" />
        </g>
      )
    })
  if (part.source === 'day')
    return (
      <path
        d={`M10 ${y + 26} C34 ${y + 26} 36 ${y + 4} 52 ${y + 4} S70 ${y + 26} 94 ${y + 26}`}
        fill="none"
        stroke="#f59e0b"
        strokeWidth={1.6}
      />
    )
  if (part.source === 'shares')
    return [70, 52, 40, 31].map((width, at) => (
      <rect key={width} x={10} y={y + at * 7} width={width} height={4.5} rx={1} fill="#f59e0b" />
    ))
  return BARS.map((height, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the twelve months, in order
    <rect key={at} x={11 + at * 7} y={y + 26 - height} width={4.5} height={height} rx={0.8} fill="#f59e0b" />
  ))
}

/** The page that the blocks make, small; what does not fit stands on the next ones. */
function ReportThumbnail({ blocks }: { blocks: ReportBlock[] }) {
  let y = 26
  const placed = toThumbnailParts(blocks).map((part, at) => {
    const placedPart = { part, y, key: `${at} ${part.kind}` }
    y += getPartHeight(part)
    return placedPart
  })
  const visibleParts = placed.filter((one) => one.y + getPartHeight(one.part) <= HEIGHT - 2)
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-[9.2rem] w-[6.5rem] shrink-0 rounded-[0.25rem] border border-line bg-white shadow-card"
    >
      <rect x={10} y={9} width={5} height={5} rx={1.2} fill="#1e3a8a" />
      <rect x={18} y={10.5} width={22} height={2} rx={1} fill="#64748b" />
      <rect x={10} y={18} width={52} height={3} rx={1} fill="#0f172a" />
      {visibleParts.map(({ key, part, y: top }) => (
        <ThumbnailShape key={key} part={part} y={top} />
      ))}
    </svg>
  )
}

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

const SUBJECT_LABELS = { operation: 'Opération', participant: 'Participant', producer: 'Producteur' }

/** Of whom and of when; then it is read, made, or sent on its day. */
function ReportBuilder({ template }: { template: ReportTemplate }) {
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
