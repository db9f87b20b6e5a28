import FileUp from 'lucide-react/icons/file-up'
import { type DragEvent, type ReactNode, useState } from 'react'
import { getButtonClass } from './button.tsx'
import { cx } from './cx.ts'

type FileDropProps = {
  /** Names of extensions, as the browser's picker takes them: `.csv,.xlsx`. */
  accept?: string
  /** The button: « Choisir un fichier ». */
  label: string
  hint?: ReactNode
  disabled?: boolean
  onFile?: (file: File) => void
  /** Takes several at once, instead. */
  onFiles?: (files: File[]) => void
}

/** A place to drop a file, with a button that does the same. */
export function FileDrop({ accept, label, hint, disabled = false, onFile, onFiles }: FileDropProps) {
  const [over, setOver] = useState(false)
  const acceptFiles = (files: FileList | null) => {
    const [file, ...more] = files ?? []
    if (!file || disabled) return
    onFile?.(file)
    onFiles?.([file, ...more])
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    acceptFiles(event.dataTransfer.files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside is for everybody
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        'flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-dashed p-4 transition-colors duration-150',
        over ? 'border-primary-ink bg-primary-soft' : 'border-line-strong bg-page',
      )}
    >
      <label className="relative">
        <input
          type="file"
          accept={accept}
          multiple={onFiles !== undefined}
          disabled={disabled}
          className="peer sr-only"
          onChange={(event) => {
            acceptFiles(event.target.files)
            event.target.value = '' // the same file, corrected, can be chosen again
          }}
        />
        <span
          className={cx(
            getButtonClass({ variant: 'secondary' }),
            'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-(--ring) peer-disabled:cursor-not-allowed peer-disabled:opacity-55',
          )}
        >
          <FileUp aria-hidden="true" />
          {label}
        </span>
      </label>
      <p className="min-w-0 text-[0.8125rem] text-ink-soft">{hint ?? 'ou déposez-le ici.'}</p>
    </div>
  )
}
