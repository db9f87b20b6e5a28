import { declarations, type NewDeclaration } from '@voisol/contract/declarations'
import FileCheck from 'lucide-react/icons/file-check'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { download } from '../../lib/call.ts'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'

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
