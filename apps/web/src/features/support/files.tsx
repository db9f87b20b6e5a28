import { type Attachment, FILE_BYTES, MOST_FILES } from '@voisol/contract/support'
import Paperclip from 'lucide-react/icons/paperclip'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { toast } from '../../lib/toast.ts'
import { buttonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { fileSize } from '../../ui/document-list.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

export type Kept = ReturnType<typeof useFiles>

const refuse = (description: string) => toast({ title: 'Fichier refusé', description, variant: 'destructive' })

/** The files of a message that is being written: each is kept as soon as it is chosen. */
export function useFiles(keep: (file: File) => Promise<Attachment>) {
  const [files, setFiles] = useState<Attachment[]>([])
  const [busy, setBusy] = useState(false)
  const add = async (file: File) => {
    if (files.length >= MOST_FILES) return refuse('Cinq fichiers au plus par message.')
    if (file.size > FILE_BYTES) return refuse('Dix mégaoctets au plus par fichier.')
    setBusy(true)
    await keep(file).then(
      (kept) => setFiles((old) => [...old, kept]),
      (error: unknown) => refuse(explain(error)),
    )
    setBusy(false)
  }
  const remove = (id: string) => setFiles((old) => old.filter((file) => file.id !== id))
  return { files, busy, add, remove, clear: () => setFiles([]), ids: files.map(({ id }) => id) }
}

/** A button that adds a file, and what was added so far. */
export const FileRow = ({ kept }: { kept: Kept }) => (
  <div className="flex flex-wrap items-center gap-2">
    <label className="relative">
      <input
        type="file"
        disabled={kept.busy}
        className="peer sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) void kept.add(file)
          event.target.value = '' // the same file can be chosen again
        }}
      />
      <span
        className={cx(
          buttonClass({ variant: 'quiet', size: 'small' }),
          'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-(--ring)',
        )}
      >
        <Paperclip aria-hidden="true" />
        {kept.busy ? 'Envoi du fichier…' : 'Joindre un fichier'}
      </span>
    </label>
    {kept.files.map(({ id, name, size }) => (
      <span
        key={id}
        className="inline-flex max-w-full items-center gap-1 rounded-button border border-line pl-3 text-[0.8125rem]"
      >
        <span className="truncate">{name}</span>
        <span className="shrink-0 text-ink-soft">{fileSize(size)}</span>
        <IconButton label={`Retirer ${name}`} icon={<X aria-hidden="true" />} onClick={() => kept.remove(id)} />
      </span>
    ))}
  </div>
)
