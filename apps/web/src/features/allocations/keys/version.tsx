import { useQuery } from '@tanstack/react-query'
import { type KeyDetail, keys } from '@voisol/contract/keys'
import Lock from 'lucide-react/icons/lock'
import { Can, useCan } from '../../../lib/can.tsx'
import { confirmImpact } from '../../../lib/look-first.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { CheckFindingList } from '../../../ui/findings.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { MembersByDirection } from '../use-members.ts'
import { AdoptKeyButton, CopyKeyLink, RemoveKeyDraftButton } from './actions.tsx'
import { KEY_DEPENDENT_QUERIES } from './changes.ts'
import { CoefficientImport } from './coefficients.tsx'
import { KeyEditor, type KeyVersionDraft } from './editor.tsx'
import { takesFiles, toKeyForm } from './form.ts'
import { formatKeyPeriod, KeyBadges } from './state.tsx'

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
