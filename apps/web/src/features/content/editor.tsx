import { useEffect } from 'react'
import { toast } from '../../lib/toast.ts'
import { FormErrors } from '../../ui/form-errors.tsx'
import { BackLink } from './back-link.tsx'
import { BodyField } from './body-field.tsx'
import { EditorHeader } from './editor-header.tsx'
import { ImageField } from './image-field.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { Presentation } from './presentation.tsx'
import { Shelving } from './shelving.tsx'
import { Stale } from './stale.tsx'
import { type Given, useContent, type Writing } from './use-content.ts'
import { WebinarFields } from './webinar-fields.tsx'

const store = async ({ save }: Pick<Writing, 'save'>) => {
  if (await save()) toast({ title: 'Brouillon enregistré', variant: 'success' })
}

/** Ctrl+S saves wherever one is on the screen. */
function useSaveKey(writing: Writing) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      if (!writing.form.formState.isSubmitting) void store(writing)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}

/** One content: what it says of itself, where it stands, and its text beside what readers will see. */
export function Editor(given: Given) {
  const writing = useContent(given)
  useSaveKey(writing)
  return (
    <>
      <BackLink />
      <EditorHeader writing={writing} onSave={() => void store(writing)} />
      <form
        noValidate
        className="grid gap-6 [&>*]:min-w-0"
        onSubmit={(event) => {
          event.preventDefault()
          void store(writing)
        }}
      >
        {writing.stale && <Stale writing={writing} />}
        <FormErrors form={writing.form} />
        <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_22rem] [&>*]:min-w-0">
          <Presentation writing={writing} />
          <Shelving writing={writing} />
        </div>
        {writing.kind === 'webinar' && <WebinarFields writing={writing} />}
        <BodyField writing={writing} />
        {writing.kind !== 'faq' && <ImageField writing={writing} />}
      </form>
      <LeaveGuard dirty={writing.dirty} ownId={writing.ownId} />
    </>
  )
}
