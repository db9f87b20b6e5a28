import { type ImportReport, Invite, users } from '@voisol/contract/users'
import FileUp from 'lucide-react/icons/file-up'
import Upload from 'lucide-react/icons/upload'
import UserPlus from 'lucide-react/icons/user-plus'
import { useState } from 'react'
import type { z } from 'zod'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button, getButtonClass } from '../../../components/button.tsx'
import { cx } from '../../../components/cx.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Table } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { useDialogParam } from '../../../lib/use-dialog-param.ts'
import { RoleAssignmentFields, type RoleAssignmentForm } from './role-field.tsx'

function InviteUserForm({ onDone }: { onDone: () => void }) {
  const invite = useAction(users.invite, [users.list])
  const form = useSchemaForm(Invite, {
    defaults: { email: '', firstName: '', lastName: '', role: 'client', operationIds: null },
    save: async (body) => {
      await invite.run({ body })
      toast({
        title: 'Invitation envoyée',
        description: `${body.email} recevra un lien valable sept jours.`,
        variant: 'success',
      })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="email" label="Adresse e-mail" type="email" autoComplete="off" />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="firstName" label="Prénom" autoComplete="off" />
        <Field form={form} name="lastName" label="Nom" autoComplete="off" />
      </div>
      <RoleAssignmentFields form={form as unknown as RoleAssignmentForm} /* its fields are among this form's */ />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Envoyer l’invitation
      </Button>
    </form>
  )
}

export const InviteUserDialog = withAccess(users.invite, () => {
  const [open, setOpen] = useDialogParam('inviter')
  return (
    <Dialog
      title="Inviter un utilisateur"
      description="La personne choisit elle-même son mot de passe."
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={<UserPlus aria-hidden="true" />}>Inviter</Button>}
    >
      <InviteUserForm onDone={() => setOpen(false)} />
    </Dialog>
  )
})

type ImportUsersReport = z.output<typeof ImportReport>
type Outcome = ImportUsersReport['lines'][number]['outcome']
const OUTCOME_LABELS: Record<Outcome, { label: string; tone: Tone }> = {
  invited: { label: 'À inviter', tone: 'success' },
  existing: { label: 'Déjà présent', tone: 'neutral' },
  refused: { label: 'Refusé', tone: 'danger' },
}
const CSV_EXAMPLE =
  'email;prénom;nom;rôle\ncamille.durand@exemple.fr;Camille;Durand;Client\nleo.martin@exemple.fr;Léo;Martin;Gestionnaire'

const ImportedLines = ({ report }: { report: ImportUsersReport }) => (
  <Table
    label="Lignes du fichier"
    rows={report.lines.map((line) => ({ ...line, id: String(line.line) }))}
    columns={[
      { header: 'Ligne', align: 'end', cell: (line) => line.line },
      {
        header: 'Résultat',
        cell: ({ outcome }) => <Badge tone={OUTCOME_LABELS[outcome].tone}>{OUTCOME_LABELS[outcome].label}</Badge>,
      },
      { header: 'Adresse', cell: (line) => line.email },
      { header: 'Remarque', cell: (line) => line.message },
    ]}
  />
)

/** The browser would word its own button in its own language. */
const FilePicker = ({ name, onChoose }: { name: string; onChoose: (file: File | undefined) => void }) => (
  <div className="flex flex-wrap items-center gap-3 text-body">
    <label className="relative">
      <input
        type="file"
        accept=".csv,text/csv"
        className="peer sr-only"
        onChange={(event) => {
          onChoose(event.target.files?.[0])
          event.target.value = '' // the same file, corrected, can be chosen again
        }}
      />
      <span
        className={cx(
          getButtonClass({ variant: 'secondary' }),
          'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-(--ring)',
        )}
      >
        <FileUp aria-hidden="true" />
        Choisir un fichier CSV
      </span>
    </label>
    <p role="status" className="min-w-0 break-all text-ink-soft">
      {name || 'Aucun fichier choisi'}
    </p>
  </div>
)

function ImportUsersForm({ onDone }: { onDone: () => void }) {
  const [csv, setCsv] = useState('')
  const [name, setName] = useState('')
  const [report, setReport] = useState<ImportUsersReport>()
  const [problem, setProblem] = useState('')
  const send = useAction(users.import, [users.list])
  const run = async (text: string, dryRun: boolean) => {
    setProblem('')
    try {
      const result = await send.run({ body: { csv: text, dryRun } })
      if (dryRun) return setReport(result)
      toast({ title: formatCount(result.invited, 'invitation envoyée', 'invitations envoyées'), variant: 'success' })
      onDone()
    } catch (error) {
      setReport(undefined)
      setProblem(explainError(error))
    }
  }
  const choose = async (file: File | undefined) => {
    if (!file) return
    const text = await file.text()
    setName(file.name)
    setCsv(text)
    await run(text, true)
  }
  return (
    <div className="grid gap-4">
      <FilePicker name={name} onChoose={choose} />
      <p className="text-[0.8125rem] text-ink-soft">
        La première ligne nomme les colonnes. Le rôle est écrit par son nom, ceux de votre organisation compris. Sans
        rôle, une personne est invitée comme client.
      </p>
      <pre className="overflow-x-auto rounded-control bg-page p-3 text-[0.8125rem]">{CSV_EXAMPLE}</pre>
      {problem && (
        <p role="alert" className="text-body text-danger">
          {problem}
        </p>
      )}
      {report && <ImportedLines report={report} />}
      {report && (
        <Button
          className="justify-self-end"
          disabled={report.invited === 0}
          loading={send.isPending}
          onClick={() => run(csv, false)}
        >
          Envoyer {formatCount(report.invited, 'invitation')}
        </Button>
      )}
    </div>
  )
}

export const ImportUsersDialog = withAccess(users.import, () => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Importer des utilisateurs"
      description="Rien n’est enregistré avant votre confirmation."
      width="wide"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" icon={<Upload aria-hidden="true" />}>
          Importer
        </Button>
      }
    >
      <ImportUsersForm onDone={() => setOpen(false)} />
    </Dialog>
  )
})
