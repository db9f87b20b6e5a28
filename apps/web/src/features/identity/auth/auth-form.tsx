import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type FormEventHandler, type ReactNode, useEffect, useRef } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { Button } from '../../../components/button.tsx'
import { cx } from '../../../components/cx.ts'
import { FormErrors } from '../../../components/field.tsx'
import { ApiError } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { SignInError } from '../../../lib/sign-in-answer.ts'

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

export const AuthHeading = ({ title, children }: { title: string; children?: ReactNode }) => (
  <header>
    <h1 className="text-3xl font-semibold">{title}</h1>
    {children && <p className="mt-2 text-ink-soft">{children}</p>}
  </header>
)

const NOTICE_STYLES = {
  info: { icon: Info, box: 'border-line bg-page text-ink', mark: 'text-ink-soft' },
  success: { icon: CircleCheck, box: 'border-success/25 bg-success-soft text-ink', mark: 'text-success' },
  danger: { icon: TriangleAlert, box: 'border-danger/30 bg-danger-soft text-ink', mark: 'text-danger' },
}

type AuthNoticeProps = { tone: keyof typeof NOTICE_STYLES; children: ReactNode; focused?: boolean }

/** Something to read before going on; `focused` takes the keyboard there. */
export function AuthNotice({ tone, children, focused = false }: AuthNoticeProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focused) box.current?.focus()
  }, [focused])
  const { icon: Icon, box: look, mark } = NOTICE_STYLES[tone]
  return (
    <div
      ref={box}
      role={tone === 'danger' ? 'alert' : 'status'}
      tabIndex={-1}
      className={cx('flex items-start gap-3 rounded-card border px-4 py-3 text-[0.9375rem] outline-none', look)}
    >
      <Icon aria-hidden="true" className={cx('mt-0.5 size-5', mark)} />
      <div className="min-w-0">{children}</div>
    </div>
  )
}

const getIssues = (error: unknown) =>
  error instanceof SignInError ? error.issues : error instanceof ApiError ? (error.problem?.issues ?? []) : []

export const getProblemCode = (error: unknown) =>
  error instanceof SignInError || error instanceof ApiError ? error.code : 'unknown'

/** What the account may prove itself with, when the server asks for more than the password. */
export const getAcceptedFactors = (error: unknown) => getIssues(error).map(({ path }) => path)

/** Puts a refusal on its fields, and on the form as a whole when it names none or when its text is a specified one. */
export function showFormErrors<V extends FieldValues, C, O>(
  form: Pick<UseFormReturn<V, C, O>, 'setError'>,
  error: unknown,
) {
  const issues = getIssues(error)
  for (const [index, { path, message }] of issues.entries())
    form.setError(path as FieldPath<V>, { message }, { shouldFocus: index === 0 }) // a field of the same schema
  if (!issues.length) form.setError('root', { message: explainError(error) })
  else if (error instanceof SignInError && error.detail !== error.message)
    form.setError('root', { message: error.message })
}
