import { type BookingRequest, PROJECT_TYPES } from '@voisol/contract/bookings'
import CalendarDays from 'lucide-react/icons/calendar-days'
import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { formatBookingDay } from './days.ts'

export const BookingSummary = ({ day, time }: { day: string; time: string }) => (
  <p className="flex items-start gap-3 rounded-card border border-[#fbd38a] bg-[#fffaf0] p-4">
    <CalendarDays aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-[#b45309]" />
    <span>
      <span className="block font-medium first-letter:uppercase">
        {formatBookingDay(day)} à {time}
      </span>
      <span className="text-[0.9375rem] text-ink-soft">Visioconférence de 30 minutes, heure de Paris</span>
    </span>
  </p>
)

export type BookingForm = Pick<
  UseFormReturn<BookingInput, unknown, z.output<typeof BookingRequest>>,
  'register' | 'formState'
>

export type BookingInput = z.input<typeof BookingRequest>

const PROJECT_TYPE_OPTIONS = [
  { value: '', label: 'Choisissez…' },
  ...PROJECT_TYPES.map((type) => ({ value: type as string, label: type as string })),
]

export const BookingDetails = ({ form, day, time }: { form: BookingForm; day: string; time: string }) => (
  <div className="grid gap-4">
    <BookingSummary day={day} time={time} />
    <div className="grid gap-4 sm:grid-cols-2">
      <Field form={form} name="firstName" label="Prénom" autoComplete="given-name" />
      <Field form={form} name="lastName" label="Nom" autoComplete="family-name" />
    </div>
    <Field form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="email" />
    <Field form={form} name="phone" label="Téléphone" type="tel" inputMode="tel" autoComplete="tel" optional />
    <Field form={form} name="company" label="Entreprise" autoComplete="organization" />
    <Field form={form} name="projectType" label="Type de projet">
      {(control) => <Select {...control} options={PROJECT_TYPE_OPTIONS} />}
    </Field>
    <Field form={form} name="message" label="Message" optional>
      {(control) => <Textarea {...control} rows={3} />}
    </Field>
  </div>
)
