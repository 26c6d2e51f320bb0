// Russian messages.

import { isExpiry } from "./render.js";

export const TEXTS = {
  json_syntax: "неверный JSON или UTF-8: строка {line}, столбец {column}",
  body_too_large: "тело больше {limit} {limit:байта|байт|байт}",
  too_deep: "вложенность больше {limit} {limit:уровня|уровней|уровней}",
  duplicate_member: "поле повторяется в своём объекте",
  type: "неверный тип JSON: ожидается {expected}, получено: {found}",
  missing: (_, { path }) => (isExpiry(path) ? "введите месяц и год" : "обязательное поле"),
  unsupported_value: "недопустимое значение; допустимы: {allowed}",
  unknown_member: "такого поля нет в интерфейсе",
  legacy_member: ({ replaced_by }) => (replaced_by ? "поле прежнего API; теперь {replaced_by}" : "поле прежнего API без замены"),
  variant_mismatch: "не используется с этим payment_type",
  amount_syntax: "ожидается десятичное число, например 100.00",
  amount_not_positive: "сумма должна быть больше нуля",
  amount_scale: "у валюты {minor_unit} {minor_unit:знак|знака|знаков} после запятой",
  amount_out_of_bounds({ min, max, integer_digits }) {
    if (integer_digits !== undefined) return "в сумме не больше {integer_digits} {integer_digits:цифры|цифр|цифр} до точки и {fraction_digits} после неё";
    return min && max ? "сумма должна быть от {min} до {max}" : min ? "сумма должна быть не меньше {min}" : "сумма должна быть не больше {max}";
  },
  currency_unknown: "ожидается действующий код ISO 4217 прописными буквами",
  currency_not_allowed: "валюта не принимается; допустимы: {allowed}",
  currency_not_fiat: "этот код не обозначает валюту",
  uri_syntax: "ожидается абсолютный URI; ошибка: {reason}",
  uri_scheme: ({ refused }) => (refused ? "недопустимая схема URI; запрещены: {refused}" : "недопустимая схема URI; допустимы: {allowed}"),
  uri_credentials: "URI не должен содержать имя пользователя или пароль",
  uri_private_host: "хост имеет частный адрес",
  text_empty: "пустой текст считается отсутствующим",
  text_too_long: "значение длиннее предела {limit}",
  text_control_character: "текст содержит управляющий символ",
  card_number_syntax: "в номере карты от 12 до 19 цифр",
  card_number_checksum: "неверная контрольная цифра номера карты",
  card_number_no_check_digit: "в номере карты нет контрольной цифры, как у некоторых карт UnionPay",
  card_expired: "срок действия карты истёк",
  expiry_month_range: "месяц должен быть от {min} до {max}",
  expiry_year_range: "год должен быть от {min} до {max}",
  expiry_year_two_digits: "год из двух цифр прочитан как 20ГГ",
  security_code_syntax: ({ min, max }) => `в коде безопасности ${min === max ? "{max} {max:цифра|цифры|цифр}" : "от {min} до {max} цифр"}`,
  phone_number_syntax: "ожидается номер телефона: от 7 до 15 цифр, с + или без него",
  integer_range: "число должно быть от {min} до {max}",
  host2host_without_card: "в режиме host-to-host с банковской картой нужны данные карты",
  card_without_host2host: "данные карты используются только в режиме host-to-host",
  recipient_incomplete: "требуется, чтобы определить получателя",
  merchant_not_allowed: "учётные данные не разрешают этот merchant_id",
  card_number_in_text: "похоже, что текст содержит номер карты",
  field_currency: "в платеже в USDT нужны requested_amount и requested_currency с обычной валютой",
  state_inconsistent: "противоречит состоянию: у completed есть paid_at, у idle нет ни paid_at, ни fail_by",
  failure_unexplained: "у неуспешного платежа должны быть fail_by и fail_code",
  unmasked_card_number: "info не должно содержать полный номер карты",
  currency_withdrawn: "код валюты исключён из ISO 4217: {withdrawn}",
  info_type: "ожидается объект; в прежнем API была строка",
  amount_identity: "суммы не сходятся",
  answer_mismatch: "не соответствует запросу",
};

export const CATEGORIES = ["one", "few", "many"];

/** Values of parameters. */
export const NAMES = {
  boolean: "логическое значение",
  number: "число",
  integer: "целое число",
  string: "строка",
  array: "массив",
  object: "объект",
  "date-time": "дата и время",
  uuid: "UUID",
  scheme: "схема",
  character: "символ",
  host: "хост",
  port: "порт",
  "Idempotency-Key header": "заголовок Idempotency-Key",
};
