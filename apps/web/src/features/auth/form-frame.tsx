import type { FormEventHandler, ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { Button } from '../../ui/button.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { AuthNotice } from './notice.tsx'

type AuthFormProps<V extends FieldValues, C, O> = {
  form: Pick<UseFormReturn<V, C, O>, 'formState'> & { submit: FormEventHandler<HTMLFormElement> }
  /** The consequence: « Se connecter ». */
  action: string
  children: ReactNode
}

/** What every form of this page shares: the refusal on top, the fields, one wide button. */
export function AuthForm<V extends FieldValues, C, O>({ form, action, children }: AuthFormProps<V, C, O>) {
  const { root, ...fields } = form.formState.errors
  const { isSubmitting, submitCount } = form.formState
  const several = Object.keys(fields).length > 1
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-5">
      {root?.message && (
        <AuthNotice key={submitCount} tone="danger" focused={Object.keys(fields).length === 0}>
          {root.message}
        </AuthNotice>
      )}
      {several && (
        <FormErrors
          form={{
            formState: { ...form.formState, errors: fields as typeof form.formState.errors },
          }} /* the same errors without the form's own */
        />
      )}
      {children}
      <Button type="submit" size="large" loading={isSubmitting} className="w-full">
        {action}
      </Button>
    </form>
  )
}
