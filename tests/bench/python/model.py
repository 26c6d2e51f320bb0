"""The request as a model of pydantic, without additional code."""

from typing import Annotated, Literal

from pydantic import AnyUrl, BaseModel, ConfigDict, Field, StringConstraints

Name = Annotated[str, StringConstraints(min_length=1, max_length=255)]
CardNumber = Annotated[str, StringConstraints(pattern=r"^[0-9]{12,19}$")]


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)


class Card(Strict):
    card_holder: Name | None = None
    card_number: CardNumber | None = None
    expiry_year: Annotated[int, Field(ge=0, le=2099)] | None = None
    expiry_month: Annotated[int, Field(ge=1, le=12)] | None = None
    security_code: Annotated[str, StringConstraints(pattern=r"^[0-9]{3,4}$")] | None = None


class PayInDetails(Strict):
    card: Card | None = None
    bank_name: Name | None = None


class PayOutDetails(Strict):
    bank_name: Name | None = None
    full_name: Name | None = None
    card_number: CardNumber | None = None
    phone_number: Annotated[str, StringConstraints(pattern=r"^\+?[0-9]{7,15}$")] | None = None


class Request(Strict):
    """Has no Luhn, ISO 4217, scales or rules between members, so it does less work than payspec."""

    payment_type: Literal["pay_in", "pay_out"]
    mode: Literal["P2P", "ACQUIRING", "CRYPTO"] | None = None
    cur: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
    amount: Annotated[str, StringConstraints(pattern=r"^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$")]
    subtype: Literal["bank_card", "sbp"] | None = None
    merchant_id: Name | None = None
    user_id: Name | None = None
    user_name: Name | None = None
    callback: AnyUrl | None = None
    redirect_url: AnyUrl | None = None
    bank_name: Name | None = None
    host2host: bool | None = None
    description: Annotated[str, StringConstraints(min_length=1, max_length=1024)] | None = None
    time_to_complete_payment: Annotated[int, Field(ge=1, le=2**53 - 1)] | None = None
    pay_out_details: PayOutDetails | None = None
    pay_in_details: PayInDetails | None = None
