import {
  MAX_PARTICIPANT_IMPORT_BYTES,
  type ParticipantImportReport,
  type ParticipantLine,
  participants,
} from '@voisol/contract/participants'
import { Day } from '@voisol/contract/primitives'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { type FieldErrors, useFieldArray, useFormState, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { Badge } from '../../../../../components/badge.tsx'
import { Button } from '../../../../../components/button.tsx'
import { Card } from '../../../../../components/card.tsx'
import { Corrections } from '../../../../../components/corrections.tsx'
import { ExportMenu, toTableFormat } from '../../../../../components/export-menu.tsx'
import { Field } from '../../../../../components/field.tsx'
import { FileDrop } from '../../../../../components/file-drop.tsx'
import { FilterChips } from '../../../../../components/filter-bar.tsx'
import { Select } from '../../../../../components/input.tsx'
import { Pagination } from '../../../../../components/pagination.tsx'
import { type Column, Table } from '../../../../../components/table.tsx'
import { getErrorReason } from '../../../../../lib/call.ts'
import { withAccess } from '../../../../../lib/can.tsx'
import { excludeCorrectableLines, toCorrections } from '../../../../../lib/corrections.ts'
import { DIRECTION_LABELS, formatPrm } from '../../../../../lib/energy-labels.ts'
import { formatCount } from '../../../../../lib/format.ts'
import { useAction } from '../../../../../lib/queries.ts'
import { toast } from '../../../../../lib/toast.ts'
import { type ConsumerRow, createConsumerRow, isBatteryRow, isBlankRow, type OperationWizardDraft } from '../draft.ts'
import { type KeptValue, mergeImportedLines } from '../merge-imported-lines.ts'
import {
  KIND_OPTIONS,
  METER_OPTIONS,
  RowCard,
  SEGMENT_OPTIONS,
  useOpenRows,
  usePagedRows,
} from '../participant-rows.tsx'
import { describeConsumers } from '../perimeter.ts'
import type { DraftForm } from '../use-draft.ts'

const describeRow = (row: ConsumerRow | undefined, at: number) =>
  [
    row?.name || `Consommateur ${at + 1}`,
    row?.prm && formatPrm(row.prm.replace(/\D/g, '')),
    row?.kva && `${row.kva}\u00a0kVA`,
    row && isBatteryRow(row) && 'batterie',
  ]
    .filter(Boolean)
    .join(' · ')

const findFirstWrong = (errors: FieldErrors<OperationWizardDraft>['consumers']) => {
  const at = Array.isArray(errors) ? errors.findIndex(Boolean) : -1
  return at < 0 ? null : at
}

function ConsumerFields({ form, at }: { form: DraftForm; at: number }) {
  return (
    <>
      <Field form={form} name={`consumers.${at}.name`} label="Nom" placeholder="Camille Durand" />
      <Field form={form} name={`consumers.${at}.kind`} label="Type">
        {(control) => <Select {...control} options={KIND_OPTIONS} />}
      </Field>
      <Field
        form={form}
        name={`consumers.${at}.prm`}
        label="PRM de consommation"
        placeholder="19 125 759 625 988"
        inputMode="numeric"
        autoComplete="off"
      />
      <Field form={form} name={`consumers.${at}.meter`} label="Compteur">
        {(control) => <Select {...control} options={METER_OPTIONS} />}
      </Field>
      <Field
        form={form}
        name={`consumers.${at}.email`}
        label="Adresse e-mail"
        type="email"
        autoComplete="off"
        optional
      />
      <Field
        form={form}
        name={`consumers.${at}.kva`}
        label="Puissance souscrite, en kVA"
        inputMode="decimal"
        autoComplete="off"
        optional
      />
      <Field
        form={form}
        name={`consumers.${at}.position`}
        label="Coordonnées"
        placeholder="45,7601 ; 4,8512"
        autoComplete="off"
        optional
      />
      <Field form={form} name={`consumers.${at}.segment`} label="Segment">
        {(control) => <Select {...control} options={SEGMENT_OPTIONS.consumption} />}
      </Field>
    </>
  )
}

function ConsumerRows({ form }: { form: DraftForm }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'consumers' })
  const rows = useWatch({ control: form.control, name: 'consumers' })
  const { errors } = useFormState({ control: form.control })
  const { page, size, from, to, setPage } = usePagedRows(fields.length, findFirstWrong(errors.consumers))
  const { open, toggle } = useOpenRows()
  // What was typed when the row was made: a row in the making stays open, one from a file starts closed.
  const isOpen = (id: string, at: number) =>
    open.has(id) !== isBlankRow(fields[at] ?? createConsumerRow()) || errors.consumers?.[at] !== undefined
  return (
    <section aria-label="Consommateurs saisis" className="grid gap-3 [&>*]:min-w-0">
      <p role="status" className="text-body font-medium">
        {describeConsumers(rows)}
      </p>
      {fields.slice(from, to).map((field, index) => (
        <RowCard
          key={field.id}
          title={`Consommateur ${from + index + 1}`}
          line={describeRow(rows[from + index], from + index)}
          open={isOpen(field.id, from + index)}
          onToggle={() => toggle(field.id, open.has(field.id))}
          onRemove={() => remove(from + index)}
        >
          <ConsumerFields form={form} at={from + index} />
        </RowCard>
      ))}
      {fields.length > size && (
        <Pagination label="Consommateurs" page={page} size={size} total={fields.length} onPage={setPage} />
      )}
      <Button
        variant="secondary"
        icon={<Plus aria-hidden="true" />}
        className="justify-self-start"
        onClick={() => {
          append(createConsumerRow())
          setPage(Math.floor(fields.length / size) + 1)
        }}
      >
        Ajouter un consommateur
      </Button>
    </section>
  )
}

export const ConsumersStep = ({ form }: { form: DraftForm }) => (
  <>
    <ParticipantImportPanel form={form} />
    <ConsumerRows form={form} />
  </>
)

type ParticipantImportOutcome = z.output<typeof ParticipantImportReport>

function useImportCheck(startsOn: string) {
  const [report, setReport] = useState<ParticipantImportOutcome>()
  const [problem, setProblem] = useState('')
  const send = useAction(participants.import, [])
  const checkFile = async (file: File) => {
    setProblem('')
    const from = Day.safeParse(startsOn).data
    const query = { name: file.name, dryRun: 'true' as const, ...(from && { startsOn: from }) }
    try {
      return await send.run({ query, upload: file })
    } catch (error) {
      setProblem(getErrorReason(error))
      return undefined
    }
  }
  const readFile = async (file: File) => {
    setReport(undefined)
    if (file.size > MAX_PARTICIPANT_IMPORT_BYTES)
      return setProblem('Ce fichier dépasse 5\u00a0Mo\u00a0: envoyez-le en plusieurs fois.')
    setReport(await checkFile(file))
  }
  return {
    report,
    problem,
    read: readFile,
    judge: checkFile,
    reading: send.isPending,
    close: () => setReport(undefined),
  }
}

const getValidLines = ({ lines }: ParticipantImportOutcome) => lines.flatMap(({ value }) => (value ? [value] : []))

/** A file is read and shown line by line; nothing enters the draft before it is taken over. */
const ParticipantImportPanel = withAccess(participants.import, ({ form }: { form: DraftForm }) => {
  const { report, problem, read, judge, reading, close } = useImportCheck(form.getValues('startsOn'))
  const [keptValues, setKeptValues] = useState<KeptValue[]>([])
  const [isImported, setIsImported] = useState(false)
  const addLines = (lines: ParticipantLine[]) => {
    const next = mergeImportedLines(form.getValues(), lines)
    form.setValue('producers', next.producers, { shouldDirty: true })
    form.setValue('consumers', next.consumers, { shouldDirty: true })
    setKeptValues((old) => [...old, ...next.kept])
    toast({ title: formatCount(lines.length, 'ligne reprise', 'lignes reprises'), variant: 'success' })
  }
  const addAllLines = (good: ParticipantImportOutcome) => {
    addLines(getValidLines(good))
    setIsImported(true)
    if (good.refused === 0) close()
  }
  /** What is good among the corrected lines is taken over; the rest stays to be corrected. */
  const importCorrected = async (corrected: File) => {
    const answer = await judge(corrected)
    if (answer && answer.created > 0) addLines(getValidLines(answer))
    return answer
  }
  return (
    <Card
      title="Depuis un fichier"
      description="CSV ou Excel, une ligne par point."
      actions={
        <ExportMenu
          endpoint={participants.template}
          input={(format) => ({ query: { format: toTableFormat(format) } })}
          label="Modèle de fichier"
        />
      }
    >
      <div className="grid gap-4 [&>*]:min-w-0">
        <FileDrop
          accept=".csv,.xlsx,text/csv"
          label="Choisir un fichier"
          disabled={reading}
          onFile={(file) => {
            setIsImported(false)
            setKeptValues([])
            void read(file)
          }}
        />
        {reading && (
          <p role="status" className="text-body text-ink-soft">
            Lecture du fichier…
          </p>
        )}
        {problem && (
          <p role="alert" className="text-body text-danger">
            {problem}
          </p>
        )}
        <KeptValues kept={keptValues} />
        {report && (
          <>
            <WizardImportPreview report={report} />
            <Corrections rows={toCorrections(report.lines)} action="Reprendre" onSend={importCorrected} />
            <div className="flex flex-wrap justify-end gap-2">
              <Button variant="quiet" onClick={close}>
                {isImported ? 'Fermer ce fichier' : 'Abandonner ce fichier'}
              </Button>
              {!isImported && (
                <Button disabled={report.created === 0} onClick={() => addAllLines(report)}>
                  Reprendre {formatCount(report.created, 'ligne valable', 'lignes valables')}
                </Button>
              )}
            </div>
          </>
        )}
      </div>
    </Card>
  )
})

const MAX_SHOWN_VALUES = 20

/** What the file says otherwise than what was typed: the typed value stands, and one may change it. */
const KeptValues = ({ kept }: { kept: KeptValue[] }) =>
  kept.length > 0 && (
    <div role="status" className="grid gap-2 rounded-card bg-primary-soft p-4 text-body">
      <p className="font-medium">
        {formatCount(
          kept.length,
          'valeur que vous aviez saisie est gardée',
          'valeurs que vous aviez saisies sont gardées',
        )}
      </p>
      <ul className="grid gap-1 text-[0.8125rem]">
        {kept.slice(0, MAX_SHOWN_VALUES).map(({ row, field, typed, said }) => (
          <li key={`${row} ${field}`}>
            {row}, {field.toLowerCase()}&nbsp;: «&nbsp;{typed}&nbsp;» et non «&nbsp;{said}&nbsp;».
          </li>
        ))}
        {kept.length > MAX_SHOWN_VALUES && <li>Et {kept.length - MAX_SHOWN_VALUES} autres.</li>}
      </ul>
    </div>
  )

type PreviewLine = ParticipantImportOutcome['lines'][number] & { id: string }
const MAX_SHOWN_LINES = 200

const columns: Column<PreviewLine>[] = [
  { header: 'Ligne', align: 'end', cell: ({ line }) => line },
  {
    header: 'Résultat',
    cell: ({ outcome }) =>
      outcome === 'refused' ? <Badge tone="danger">Refusée</Badge> : <Badge tone="success">Valable</Badge>,
  },
  {
    header: 'Participant',
    cell: ({ name, prm: digits, value }) => (
      <span className="block min-w-36">
        <span className="font-medium">{name || 'Sans nom'}</span>
        <span className="tabular block text-[0.8125rem] text-ink-soft">
          {[formatPrm(digits), value && DIRECTION_LABELS[value.direction]].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  {
    header: 'Remarque',
    cell: ({ message, outcome }) => <span className="block min-w-48 py-1">{outcome === 'refused' ? message : ''}</span>,
  },
]

/** Line by line what was understood, but for what is corrected underneath; what is refused for good says why. */
function WizardImportPreview({ report }: { report: ParticipantImportOutcome }) {
  const listed = excludeCorrectableLines(report.lines)
  const refused = listed.filter(({ outcome }) => outcome === 'refused').length
  const [outcomeFilter, setOutcomeFilter] = useState<string | undefined>(refused > 0 ? 'refused' : undefined)
  const lines = listed
    .filter(({ outcome }) => outcomeFilter === undefined || (outcome === 'refused') === (outcomeFilter === 'refused'))
    .map((line) => ({ ...line, id: String(line.line) }))
  return (
    <>
      <p role="status" className="text-body">
        <span className="font-medium">{formatCount(report.created, 'ligne valable', 'lignes valables')}</span>
        {report.refused > 0 && `, ${formatCount(report.refused, 'ligne refusée', 'lignes refusées')}`}.
        {report.refused > 0 &&
          ` ${report.refused > 1 ? 'Corrigez-les' : 'Corrigez-la'} ci-dessous${report.created > 0 ? ', ou reprenez les autres lignes' : ''}.`}
      </p>
      {refused > 0 && (
        <FilterChips
          label="Lignes affichées"
          options={[
            { value: 'refused', label: 'Refusées', count: refused },
            { value: 'good', label: 'Valables', count: report.created },
          ]}
          value={outcomeFilter}
          onChange={setOutcomeFilter}
        />
      )}
      {listed.length > 0 && (
        <Table label="Lignes du fichier" rows={lines.slice(0, MAX_SHOWN_LINES)} columns={columns} />
      )}
      {lines.length > MAX_SHOWN_LINES && (
        <p className="text-[0.8125rem] text-ink-soft">Les {MAX_SHOWN_LINES} premières lignes sont affichées.</p>
      )}
    </>
  )
}
