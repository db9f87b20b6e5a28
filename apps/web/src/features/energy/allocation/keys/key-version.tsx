import { useQuery } from '@tanstack/react-query'
import { type KeyDetail, keys } from '@voisol/contract/keys'
import { daysBetween } from '@voisol/energy/calendar'
import Copy from 'lucide-react/icons/copy'
import Lock from 'lucide-react/icons/lock'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { SummaryStrip } from '../../../../components/detail-screen.tsx'
import { Confirm } from '../../../../components/dialog.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { FileDrop } from '../../../../components/file-drop.tsx'
import { CheckFindingList } from '../../../../components/issue-list.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { formatGaps } from '../../../../components/suspended.tsx'
import { Table } from '../../../../components/table.tsx'
import { Can, useCan, withAccess } from '../../../../lib/can.tsx'
import { confirmFileImpact, confirmImpact, type ImpactPreviewToken } from '../../../../lib/confirm-impact.ts'
import { ALLOCATION_METHOD_LABELS, formatPrm } from '../../../../lib/energy-labels.ts'
import { explainError } from '../../../../lib/error-text.ts'
import { formatCount, formatNumber } from '../../../../lib/format.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { formatNumericDay } from '../labels.tsx'
import { useTabLink } from '../tab-and-period.ts'
import type { MembersByDirection } from '../use-members.ts'
import { KeyEditor, type KeyVersionDraft } from './key-editor.tsx'
import { takesFiles, toKeyForm } from './key-form.ts'
import { formatKeyPeriod, KEY_DEPENDENT_QUERIES, KeyBadges, NEW_VERSION } from './key-version-state.tsx'

function VersionNotice({ detail }: { detail: KeyDetail }) {
  const canWrite = useCan()(keys.update)
  return detail.locked ? (
    <p className="mb-5 flex items-start gap-2 rounded-card bg-warning-soft p-3 text-body text-warning">
      <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      Un calcul définitif s’appuie sur cette version&nbsp;: elle ne change plus.
      {canWrite && ' Pour modifier la répartition, copiez-la dans une nouvelle version applicable à la date voulue.'}
    </p>
  ) : detail.status === 'adopted' ? (
    <p className="mb-5 rounded-card bg-primary-soft p-3 text-body">
      Cette version est adoptée.
      {canWrite && ' L’enregistrer à nouveau refait les calculs provisoires de ses jours.'}
    </p>
  ) : null
}

const getNoProblemText = ({ status }: KeyDetail) =>
  status === 'draft'
    ? 'Rien ne s’oppose à l’adoption de cette version.'
    : 'Cette version convient à tous les participants de ses jours.'

type VersionCardProps = { detail: KeyDetail; members: MembersByDirection }
const doNothing = async () => {}

function EditableVersionCard(props: VersionCardProps) {
  const { detail } = props
  const { run } = useAction(keys.update, KEY_DEPENDENT_QUERIES)
  const save = async (draft: KeyVersionDraft) => {
    const { id, version } = detail
    const body = { ...draft, version }
    const seen = await confirmImpact({ kind: 'key', id, body }, 'Enregistrer la clé')
    if (!seen) return
    await run({ params: { id }, body: { ...body, ...seen } })
    toast({ title: `Version ${detail.number} enregistrée`, variant: 'success' })
  }
  return <VersionCard {...props} save={save} />
}

function VersionCard({
  detail,
  members,
  save,
}: VersionCardProps & { save?: (draft: KeyVersionDraft) => Promise<void> }) {
  const isDraft = detail.status === 'draft'
  return (
    <Card
      title={`Version ${detail.number}`}
      description={`Applicable ${formatKeyPeriod(detail)}`}
      actions={
        <>
          <KeyBadges version={detail} />
          <CopyKeyLink id={detail.id} />
        </>
      }
    >
      <VersionNotice detail={detail} />
      <div className="mb-6">
        <CheckFindingList
          findings={detail.problems.map((problem) => ({ ...problem, rule: '' }))}
          fine={getNoProblemText(detail)}
        />
      </div>
      <KeyEditor
        key={`${detail.id} ${detail.version}`}
        operationId={detail.operationId}
        members={members}
        start={toKeyForm(detail)}
        locked={detail.locked || !save}
        action="Enregistrer les modifications"
        onSave={save ?? doNothing}
        more={(changed) =>
          isDraft && (
            <>
              <AdoptKeyButton detail={detail} changed={changed} />
              <RemoveKeyDraftButton detail={detail} />
              {changed && (
                <span className="text-[0.8125rem] text-ink-soft">Enregistrez avant d’adopter la version.</span>
              )}
            </>
          )
        }
      />
      {isDraft && !save && (
        <div className="mt-6">
          <AdoptKeyButton detail={detail} changed={false} />
        </div>
      )}
    </Card>
  )
}

/** One version: what it says, what is wrong with it, and what can be done. */
export function KeyVersionDetail({ id, members }: { id: string; members: MembersByDirection }) {
  const { data, error, refetch } = useQuery(query(keys.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <Can call={keys.update} otherwise={<VersionCard detail={data} members={members} />}>
        <EditableVersionCard detail={data} members={members} />
      </Can>
      {takesFiles(data.method) && !data.locked && <CoefficientImport key={data.id} detail={data} />}
    </div>
  )
}

/** Whoever adopts a version knows what its files leave to the default rule. */
const UncoveredDays = ({ detail: { uncovered } }: { detail: KeyDetail }) =>
  uncovered !== null &&
  uncovered.days > 0 && (
    <span className="mt-3 block font-medium text-warning">
      {formatCount(uncovered.days, 'jour')} sur {daysBetween(uncovered.from, uncovered.to)} sans coefficients&nbsp;:{' '}
      {formatGaps(uncovered.gaps)}. La règle par défaut s’y appliquera.
    </span>
  )

const AdoptKeyButton = withAccess(keys.adopt, ({ detail, changed }: { detail: KeyDetail; changed: boolean }) => {
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

const RemoveKeyDraftButton = withAccess(keys.remove, ({ detail }: { detail: KeyDetail }) => {
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

const CopyKeyLink = withAccess(keys.create, ({ id }: { id: string }) => {
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

type CoefficientReport = Awaited<ReturnType<ReturnType<typeof useAction<typeof keys.importCoefficients>>['run']>>
type PreviewedFile = { file: File; report: CoefficientReport }

const describeCoefficientDays = ({ coefficientDays: days }: KeyDetail) =>
  days
    ? `${formatCount(days.days, 'jour')} de coefficients, du ${formatNumericDay(days.from)} au ${formatNumericDay(days.to)} exclu.`
    : 'Aucun coefficient importé pour l’instant.'

function CoefficientPreview({ report }: { report: CoefficientReport }) {
  return (
    <div className="grid gap-3">
      <SummaryStrip
        facts={[
          { label: 'Producteur', value: report.producer ? formatPrm(report.producer) : 'Tous ensemble' },
          { label: 'Consommateurs reconnus', value: formatNumber(report.consumers) },
          {
            label: 'Jours',
            value:
              report.from && report.to
                ? `${formatNumericDay(report.from)} au ${formatNumericDay(report.to)} exclu`
                : 'Non lus',
          },
          { label: 'Lignes', value: formatNumber(report.steps) },
        ]}
      />
      {report.problems.length > 0 && (
        <Table
          label="Lignes refusées"
          rows={report.problems.map((problem, at) => ({ ...problem, id: `${problem.line}-${at}` }))}
          columns={[
            { header: 'Ligne', align: 'end', cell: ({ line }) => formatNumber(line) },
            { header: 'Ce qui ne va pas', cell: ({ message }) => message },
          ]}
        />
      )}
    </div>
  )
}

/** Files of coefficients step by step: read first, kept once they are right. */
const CoefficientImport = withAccess(keys.importCoefficients, ({ detail }: { detail: KeyDetail }) => {
  const [chosen, setChosen] = useState<PreviewedFile | null>(null)
  const { run, isPending } = useAction(keys.importCoefficients, [keys.list, keys.get, keys.compare])
  const { id } = detail
  const send = (file: File, dryRun: 'true' | 'false', seen: ImpactPreviewToken = {}) =>
    run({ params: { id }, query: { name: file.name, dryRun, ...seen }, upload: file })
  const refuse = (error: unknown) =>
    toast({ title: 'Fichier non lu', description: explainError(error), variant: 'destructive' })
  const read = (file: File) => send(file, 'true').then((report) => setChosen({ file, report }), refuse)
  const keep = async ({ file }: PreviewedFile) => {
    const change = { kind: 'coefficients' as const, id, name: file.name }
    const seen = await confirmFileImpact(change, file, 'Importer ces coefficients').catch(refuse)
    const report = seen && (await send(file, 'false', seen).catch(refuse))
    if (!report) return
    setChosen(report.stored ? null : { file, report })
    if (report.stored) toast({ title: 'Coefficients importés', variant: 'success' })
  }
  const isRight = chosen !== null && chosen.report.problems.length === 0
  return (
    <Card title="Fichiers de coefficients" description={describeCoefficientDays(detail)}>
      <div className="grid gap-4 [&>*]:min-w-0">
        <FileDrop
          accept=".csv"
          label="Choisir un fichier CSV"
          disabled={isPending}
          hint={
            detail.method === 'complete'
              ? 'Un fichier par producteur, nommé par son PRM. Colonnes «\u00a0Horodate\u00a0» puis un PRM de consommateur par colonne.'
              : 'Colonnes «\u00a0Horodate\u00a0» puis un PRM de consommateur par colonne, valeurs en pour cent, séparées par des points-virgules.'
          }
          onFile={read}
        />
        {chosen && (
          <section aria-label={`Aperçu de ${chosen.file.name}`} className="grid gap-3">
            <h3 className="text-body font-semibold">{chosen.file.name}</h3>
            <CoefficientPreview report={chosen.report} />
            {!isRight && (
              <p className="text-body">
                Rien n’a été enregistré&nbsp;: corrigez le fichier, puis choisissez-le à nouveau.
              </p>
            )}
            <div className="flex flex-wrap gap-2">
              {isRight && (
                <Button loading={isPending} onClick={() => keep(chosen)}>
                  Importer ces coefficients
                </Button>
              )}
              <Button variant="secondary" onClick={() => setChosen(null)}>
                Abandonner
              </Button>
            </div>
          </section>
        )}
      </div>
    </Card>
  )
})
