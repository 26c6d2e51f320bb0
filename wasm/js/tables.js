// The texts of reports. Written by a test: BLESS=1 cargo test --test integration javascript_tables

/** The rules: code, default severity, source, message, and the names of the parameters. */
export const RULES = /* @__PURE__ */ `json_syntax|error|§4.1|invalid JSON or UTF-8 at line {line}, column {column}|line,column~\
body_too_large|error|D14|the body is larger than {limit} bytes|limit~\
too_deep|error|D14|objects and arrays nest deeper than {limit} levels|limit~\
duplicate_member|error|D6|the member is repeated in its object|~\
type|error|§2|wrong JSON type: expected {expected}, found {found}|expected,found~\
missing|error|D5|the member is required|~\
unsupported_value|error|§2.2|unsupported value: expected one of {allowed}|allowed~\
unknown_member|warning|D6|not a member of the interface|~\
legacy_member|warning|§9.2|a member of the legacy API|replaced_by~\
variant_mismatch|warning|§2.2|not used with this payment_type|~\
amount_syntax|error|§2.2|not a decimal amount such as 100.00|~\
amount_not_positive|error|D6|the amount must be greater than zero|~\
amount_scale|error|D6|the currency has {minor_unit} fraction digits|minor_unit~\
amount_out_of_bounds|error|D14|the amount is out of bounds|integer_digits,fraction_digits,min,max~\
currency_unknown|error|§2.2|not an active ISO 4217 code in upper case|~\
currency_not_allowed|error|D6|the currency is not accepted: expected one of {allowed}|allowed~\
currency_not_fiat|error|§2.2|not a currency|~\
uri_syntax|error|§2.2|not a valid absolute URI: invalid {reason}|reason~\
uri_scheme|error|D6|the scheme of the URI must be one of {allowed}|allowed,refused~\
uri_credentials|error|D6|the URI must not contain a user name or password|~\
uri_private_host|warning|D11|the host is a private address|~\
text_empty|warning|D31|the text is empty and counts as absent|~\
text_too_long|error|D14|longer than the limit of {limit}|limit~\
text_control_character|error|D6|the text contains a control character|~\
card_number_syntax|error|D6|a card number has 12 to 19 digits|~\
card_number_checksum|error|D6|the card number's check digit does not match|~\
card_number_no_check_digit|warning|D6|the card number has no check digit, as some of UnionPay|~\
card_expired|error|D6|the card has expired|~\
expiry_month_range|error|D6|the month must be {min} to {max}|min,max~\
expiry_year_range|error|D6|the year must be {min} to {max}|min,max~\
expiry_year_two_digits|warning|D23|two-digit year, read as 20YY|~\
security_code_syntax|error|D6|not a security code: 3 digits, 4 for American Express|min,max~\
phone_number_syntax|error|D6|not a phone number of 7 to 15 digits, with or without +|~\
integer_range|error|D15|the number must be {min} to {max}|min,max~\
host2host_without_card|warning|§1.3|host-to-host mode with a bank card requires card data|~\
card_without_host2host|warning|§1.3|card data is used in host-to-host mode only|~\
recipient_incomplete|warning|§2.2|required to identify the recipient|~\
merchant_not_allowed|error|D28|the credential does not allow this merchant_id|~\
card_number_in_text|warning|D6|the text contains a likely card number|~\
field_currency|error|§1.4|a payment in USDT has requested_amount and a fiat requested_currency|~\
state_inconsistent|error|§3|contradicts the state: a completed payment has paid_at, an idle one neither paid_at nor fail_by|~\
failure_unexplained|warning|§7|a failed payment should have fail_by and fail_code|~\
unmasked_card_number|error|§2.1|info must not contain a full card number|~\
currency_withdrawn|warning|D34|ISO 4217 has withdrawn the currency in {withdrawn}|withdrawn~\
info_type|error|§9.2|expected an object; the legacy API had a string|~\
amount_identity|warning|D21|the amounts do not add up|~\
answer_mismatch|error|§2.1|does not match the request|`.split("~");

/** The message of `json_syntax` for a body that begins with a byte order mark. */
export const BYTE_ORDER_MARK = "invalid JSON at line {line}, column {column}: the body begins with a byte order mark";

/** The variants of requests. */
export const VARIANTS = [null, "pay_in", "pay_out"];

/** The modes of requests. */
export const MODES = [null, "P2P", "ACQUIRING", "CRYPTO"];
