import { useQuery } from '@tanstack/react-query'
import { DECLARATION_LABELS, type Declaration, declarations, type NewDeclaration } from '@voisol/contract/declarations'
import Download from 'lucide-react/icons/download'
import FileCheck from 'lucide-react/icons/file-check'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const columns: Column<Declaration>[] = [
  {
    header: 'Document',
    card: 'title',
    cell: ({ kind, whose }) => (
      <span className="block min-w-48">
        <span className="block font-medium">{DECLARATION_LABELS[kind]}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{whose}</span>
      </span>
    ),
  },
  { header: 'Version', card: 'primary', align: 'end', cell: ({ number }) => number },
  { header: 'Préparé', card: 'primary', cell: ({ at, by }) => `${formatDateTime(at)}, ${by}` },
  {
    header: 'Empreinte',
    card: 'secondary',
    cell: ({ sha256 }) => (
      <span className="tabular" title={sha256}>
        {sha256.slice(0, 12)}…
      </span>
    ),
  },
]

export const downloadDeclaration = ({ id }: Pick<Declaration, 'id'>) =>
  download(declarations.file, { params: { id } }).catch((error: unknown) =>
    toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
  )

/** What was made of a year, when and by whom: every version stays. */
export function PreparedDeclarations({ year }: { year: number }) {
  const { data } = useQuery(query(declarations.list, { query: { year } }))
  if (!data || data.items.length === 0) return null
  return (
    <Card title="Ce qui a été préparé" description="Chaque version reste, avec l’empreinte de son fichier.">
      <Table
        label="Déclarations préparées"
        rows={data.items}
        columns={columns}
        rowActions={(item) => (
          <Button
            variant="quiet"
            size="small"
            icon={<Download aria-hidden="true" />}
            aria-label={`Télécharger ${item.file}, version ${item.number}`}
            onClick={() => void downloadDeclaration(item)}
          >
            Télécharger
          </Button>
        )}
      />
    </Card>
  )
}

type Props = { order: z.input<typeof NewDeclaration>; label?: string; children: ReactNode }

/** Makes the file, keeps it as a version, and hands it over. */
export const PrepareDeclarationButton = withAccess(declarations.make, ({ order, label, children }: Props) => {
  const make = useAction(declarations.make, [declarations.list])
  const run = async () => {
    try {
      const { item, already } = await make.run({ body: order })
      await download(declarations.file, { params: { id: item.id } })
      toast({
        title: already ? 'Rien n’a changé depuis la dernière version' : `Version ${item.number} préparée`,
        description: item.file,
        variant: 'success',
      })
    } catch (error) {
      toast({ title: 'Préparation impossible', description: explainError(error), variant: 'destructive' })
    }
  }
  return (
    <Button
      variant="secondary"
      size="small"
      aria-label={label}
      loading={make.isPending}
      icon={<FileCheck aria-hidden="true" />}
      onClick={() => void run()}
    >
      {children}
    </Button>
  )
})
