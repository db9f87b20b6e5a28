export { getSlotStart, isWorkingDay } from './booking-slots.ts'
export { generateBookingReference } from './bookings.ts'
